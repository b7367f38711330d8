"""A stored match as a sheet: its events read in order, with the board kept beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from google.protobuf.message import DecodeError

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.rules.v1 import fact_pb2
from gammon_engine.game import Game
from gammon_engine.play import Step
from gammon_engine.position import Position
from gammon_engine.registry import game_of
from gammon_engine.settings import GameId, Settings
from gammon_engine.violation import Violation
from gammon_records.mat_play import Illegal, read_extra_play, read_mat_play
from gammon_records.sheet import Sheet, SheetGame, Throw, Word
from gammon_records.snowie import write_snowie_board
from gammon_wire.plays import steps_from_proto
from gammon_wire.points import points_from_proto
from gammon_wire.settings import settings_from_proto

_CUBE_WORDS = {
    "double_offered": "Doubles",
    "beavered": "Beavers",
    "raccooned": "Raccoons",
    "double_taken": "Takes",
    "double_dropped": "Drops",
}
_RAISES = ("double_offered", "beavered", "raccooned")


class NotWritable(Exception):
    """The match cannot be written as MAT; the text names the event and why."""


@dataclass(slots=True)
class _Telling:
    sheet: Sheet
    game: Game
    position: Position
    won: list[int] = field(default_factory=lambda: [0, 0])
    open: SheetGame | None = None
    number: int = 1


def sheet_of(envelopes: Sequence[bytes]) -> Sheet:
    """The sheet of a match from the bytes of all its events. Raises NotWritable."""
    telling: _Telling | None = None
    players = ["", ""]
    for sequence, body in enumerate(envelopes, 1):
        try:
            envelope = events_pb2.Envelope.FromString(body)
        except DecodeError:
            raise NotWritable(f"event {sequence} cannot be read") from None
        kind = envelope.WhichOneof("event")
        if kind == "match_created":
            settings = _settings(envelope.match_created.settings)
            game = game_of(settings)
            telling = _Telling(Sheet(settings, ("", "")), game, game.start())
        elif telling is None:
            raise NotWritable("the first event creates no match")
        elif kind == "seat_taken":
            players[envelope.seat_taken.seat] = envelope.seat_taken.player
        elif kind == "fact":
            _fact(telling, envelope.fact)
        elif kind == "player_replaced":
            seat, player = envelope.player_replaced.seat, envelope.player_replaced.player
            if telling.sheet.games:
                raise NotWritable(
                    f"event {sequence}: player_replaced gives seat {seat} to {player} in game {telling.number}; "
                    "a column of MAT has one player throughout"
                )
            players[seat] = player
        elif kind == "taken_back":
            raise NotWritable(f"event {sequence}: MAT has no words for taken back")
    if telling is None:
        raise NotWritable("there are no events")
    telling.sheet.players = (players[0], players[1])
    return telling.sheet


def _settings(stored: bytes) -> Settings:
    try:
        settings = settings_from_proto(settings_pb2.MatchSettings.FromString(stored).rules)
    except DecodeError:
        raise NotWritable("the settings cannot be read") from None
    if not isinstance(settings, Settings) or settings.game is not GameId.BACKGAMMON:
        raise NotWritable("MAT is for backgammon only")
    return settings


def _fact(at: _Telling, fact: fact_pb2.Fact) -> None:
    kind = fact.WhichOneof("kind") or ""
    match kind:
        case "opening_thrown":
            _open(at)
        case "score_set":
            raise NotWritable("MAT has no words for a score that was set")
        case "automatically_doubled":
            raise NotWritable("MAT has no words for an automatic double")
        case "game_opened":
            at.position = at.game.start()
        case "rolled":
            dice = tuple(fact.rolled.dice)
            _open(at).cells.append((fact.rolled.seat, Throw((dice[0], dice[1]))))
        case "play_made":
            made = steps_from_proto(fact.play_made.steps)
            at.position, made = at.game.apply(at.position, fact.play_made.seat, made)
            _made(at, " ".join(map(_hop, made)))
        case "turn_passed":
            _made(at, "")
        case "illegal_play_recorded":
            _illegal(at, fact.illegal_play_recorded)
        case "offer_closed" | "forfeited":
            _given_up(at, fact)
        case "game_ended":
            _ended(at, fact.game_ended)
        case "play_ended":
            _over(at, fact.play_ended)
        case _ if kind in _CUBE_WORDS:
            said = getattr(fact, kind)
            value = f" => {1 << said.cube_log2}" if kind in _RAISES else ""
            _open(at).cells.append((said.seat, Word(_CUBE_WORDS[kind] + value)))


def _open(at: _Telling) -> SheetGame:
    """The game at hand; one that is given up before its opening throw has no cells."""
    if at.open is None:
        at.open = SheetGame(at.number, (at.won[0], at.won[1]))
        at.sheet.games.append(at.open)
    return at.open


def _throw(at: _Telling) -> tuple[int, Throw] | None:
    """The last cell, where it is a roll."""
    cells = _open(at).cells
    seat, cell = cells[-1] if cells else (0, None)
    return (seat, cell) if isinstance(cell, Throw) else None


def _made(at: _Telling, text: str) -> None:
    throw = _throw(at)
    if throw is None:
        raise NotWritable("a play without a roll")
    throw[1].made = text


def _illegal(at: _Telling, illegal: fact_pb2.IllegalPlayRecorded) -> None:
    """As its hops where those lead to the same board again, else as the board."""
    position = at.game.parse(illegal.position)
    throw = _throw(at)
    if isinstance(position, Violation) or throw is None:
        raise NotWritable("an illegal play without a roll or a board")
    steps = steps_from_proto(illegal.steps)
    text = " ".join(map(_hop, steps))
    passed = throw[1].made is not None
    again = (
        read_extra_play(text, at.position, illegal.seat)
        if passed
        else read_mat_play(at.game, text, at.position, illegal.seat, throw[1].dice)
    )
    if not steps and position == at.position:
        text = "Cannot Move"
    elif not isinstance(again, Illegal) or (again.position, again.play) != (position, steps):
        text = f"Illegal play ({write_snowie_board(position, illegal.seat)})"
    throw[1].made, at.position = text, position


def _given_up(at: _Telling, fact: fact_pb2.Fact) -> None:
    """How a game is lost without a play: `????` behind the loser's own roll, a word where it would not be seen."""
    if fact.HasField("forfeited"):
        loser, whole = fact.forfeited.seat, not fact.forfeited.forfeit.level
    elif fact.offer_closed.accepted:
        loser, whole = 1 - fact.offer_closed.seat, False
    else:
        return
    throw = _throw(at)
    unplayed = throw is not None and throw[1].made is None
    if whole and fact.HasField("forfeited"):
        _open(at).cells.append((loser, Word("Forfeits")))
    elif throw is not None and unplayed and throw[0] == loser:
        throw[1].made = "????"
    elif unplayed:
        _open(at).cells.append((loser, Word("Resigns")))


def _ended(at: _Telling, ended: fact_pb2.GameEnded) -> None:
    if ended.end in (fact_pb2.GAME_END_AGREED, fact_pb2.GAME_END_VOIDED):
        raise NotWritable(f"MAT has no words for game {ended.game_number}, which ended without points")
    game = _open(at)
    if ended.winners:
        game.winner, game.points = ended.winners[0], int(max(points_from_proto(ended.points)))
        at.won[game.winner] += game.points
    at.open, at.number = None, at.number + 1
    at.position = at.game.start()


def _over(at: _Telling, over: fact_pb2.PlayEnded) -> None:
    if over.match and at.sheet.games and at.open is None:
        at.sheet.games[-1].ends_match = True


def _hop(step: Step) -> str:
    return f"{step.origin}/{step.target}{'*' if step.hit else ''}"
