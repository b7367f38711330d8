"""One game followed cell by cell: each becomes the act it stands for, judged by the referee."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from gammon_engine.outcome import Win
from gammon_engine.referee import actions as act
from gammon_engine.referee.state import Phase
from gammon_engine.violation import Violation
from gammon_records.mat import Cubed, Rolled, Word
from gammon_records.mat_play import Illegal, Legal, Unreadable, read_extra_play, read_mat_play
from gammon_records.refused import Refused
from gammon_records.snowie import checkers_of, read_snowie_board
from gammon_records.table import Table

CRAWFORD_RULE = "7.2"


@dataclass(frozen=True, slots=True)
class Turn:
    """A cell of play: who, the line, what; `last`: no other cell of play follows in this game."""

    seat: int
    line: int
    says: Rolled | Cubed
    last: bool


@dataclass(frozen=True, slots=True)
class CrawfordDouble:
    """A double in what would be the Crawford game: the match was played without that rule."""

    line: int


def follow_turns(table: Table, turns: Sequence[Turn]) -> Refused | CrawfordDouble | None:
    """Acts out the cells of one game."""
    for turn in turns:
        if table.ended is not None or table.over:
            return Refused(turn.line, "the game is over, and the record goes on")
        match turn.says:
            case Rolled():
                stop: Refused | CrawfordDouble | None = _roll(table, turn, turn.says)
            case Cubed():
                stop = _cube(table, turn, turn.says)
            case _:
                assert_never(turn.says)
        if stop is not None:
            return stop
    return None


def _cube(table: Table, turn: Turn, says: Cubed) -> Refused | CrawfordDouble | None:
    seat, value = turn.seat, table.state.cube.value
    match says.word:
        case Word.DOUBLE:
            raised = value * 2
            violation = table.try_act(act.Double(seat), turn.line)
            if violation is not None and violation.rule == CRAWFORD_RULE:
                return CrawfordDouble(turn.line)
            refused = _refused(turn.line, violation)
        case Word.BEAVER:
            raised, refused = value * 4, table.act(act.Beaver(seat), turn.line)
        case Word.RACCOON:
            raised, refused = value * 2, table.act(act.Raccoon(seat), turn.line)
        case Word.TAKE:
            raised = 0
            taken = act.Take(seat) if table.state.phase is Phase.DOUBLED else act.Accept(seat)
            refused = table.act(taken, turn.line)
        case Word.DROP:
            raised, refused = 0, table.act(act.Drop(seat), turn.line)
        case _:
            assert_never(says.word)
    if refused is None and says.value and raised and says.value != raised:
        table.warn(turn.line, f"the cube is written as {says.value}, by the law it is {raised}")
    return refused


def _roll(table: Table, turn: Turn, says: Rolled) -> Refused | None:
    if says.dice is None:
        return None  # 00: nothing was thrown
    refused = _answer_silently(table, turn) or _throw(table, turn, says.dice)
    if refused is not None:
        return refused
    if table.state.phase is Phase.TO_ROLL:
        return _after_passing(table, turn, says)
    if says.position:
        return _set_board(table, turn, says.position)
    return _play(table, turn, says) if says.play else _unplayed(table, turn, says)


def _answer_silently(table: Table, turn: Turn) -> Refused | None:
    """Rolling after one's own double that nobody answered in writing: the answer was yes."""
    state = table.state
    if turn.seat != state.turn:
        return None
    match state.phase:
        case Phase.DOUBLED:
            table.warn(turn.line, "the double before this roll has no answer; it was taken")
            return table.act(act.Take(1 - turn.seat), turn.line)
        case Phase.BEAVERED | Phase.RACCOONED:
            # The usual writing: a roll of the doubler is the acceptance.
            answering = turn.seat if state.phase is Phase.BEAVERED else 1 - turn.seat
            return table.act(act.Accept(answering), turn.line)
    return None


def _throw(table: Table, turn: Turn, dice: tuple[int, int]) -> Refused | None:
    if table.state.phase is not Phase.OPENING:
        return table.act(act.RollDice(turn.seat, dice), turn.line)
    if dice[0] == dice[1]:
        return Refused(turn.line, "rule 1.7: a game cannot open with a double")
    # Who starts threw the higher die.
    low, high = sorted(dice)
    return table.act(act.Open((high, low) if turn.seat == 0 else (low, high)), turn.line)


def _play(table: Table, turn: Turn, says: Rolled) -> Refused | None:
    state = table.state
    assert state.dice is not None
    read = read_mat_play(table.game, says.play, state.position, turn.seat, state.dice)
    if isinstance(read, Legal):
        return table.act(act.MakePlay(turn.seat, read.play), turn.line)
    if turn.last and table.result is None:
        table.warn(turn.line, f"the record breaks off, and {says.play!r} is left out")
        return None
    if isinstance(read, Unreadable):
        return Refused(turn.line, read.reason)
    return _record(table, turn, read)


def _unplayed(table: Table, turn: Turn, says: Rolled) -> Refused | None:
    state = table.state
    assert state.dice is not None
    plays = table.game.legal_plays(state.position, turn.seat, state.dice)
    only = next(iter(plays)) if len(plays) == 1 else None
    if turn.last and not says.says_stuck:
        # Resigned or cut off after the roll, unless the one play there is wins as the record says.
        wins = only is not None and isinstance(table.game.outcome(only, turn.seat), Win)
        given_up = says.gave_up or table.given_up
        if only is None or not wins or given_up or table.result is None or table.result.winner != turn.seat:
            return None
    if only is not None and not says.says_stuck:
        table.warn(turn.line, "the play of this roll is not written; there is only one")
        return table.act(act.MakePlay(turn.seat, plays.way(only)), turn.line)
    return _record(table, turn, Illegal((), state.position))


def _after_passing(table: Table, turn: Turn, says: Rolled) -> Refused | None:
    """No step was legal. A record may have one all the same."""
    position = table.state.position
    if says.position:
        return _set_board(table, turn, says.position)
    if not says.play:
        return None
    read = read_extra_play(says.play, position, turn.seat)
    if turn.last and table.result is None:
        table.warn(turn.line, f"the record breaks off, and {says.play!r} is left out")
        return None
    if isinstance(read, Unreadable):
        return Refused(turn.line, read.reason)
    return None if read.position == position else _record(table, turn, read)


def _set_board(table: Table, turn: Turn, line: str) -> Refused | None:
    """The record has the board after an illegal play instead of the play."""
    state, game = table.state, table.game
    position = read_snowie_board(line, turn.seat, checkers_of(game))
    if position is None:
        return Refused(turn.line, "the position of an illegal play cannot be read")
    if state.dice is None:
        return None if position == state.position else _record(table, turn, Illegal((), position))
    plays = game.legal_plays(state.position, turn.seat, state.dice)
    if position in plays:
        table.warn(turn.line, "the play is called illegal, and is legal")
        return table.act(act.MakePlay(turn.seat, plays.way(position)), turn.line)
    return _record(table, turn, Illegal((), position))


def _record(table: Table, turn: Turn, illegal: Illegal) -> Refused | None:
    text = table.game.text(illegal.position)
    refused = table.act(act.RecordPlay(turn.seat, illegal.play, text), turn.line)
    if refused is None:
        table.warn(turn.line, f"illegal play by seat {turn.seat}, kept as the record has it")
    return refused


def _refused(line: int, violation: Violation | None) -> Refused | None:
    return None if violation is None else Refused(line, f"rule {violation.rule}: {violation.reason}")
