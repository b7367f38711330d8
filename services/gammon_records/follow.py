"""A MAT file followed through the referee: what it says, turned into acts that lead to where it says the match went."""

from __future__ import annotations

from dataclasses import replace

from gammon_engine.referee import actions as act
from gammon_engine.referee.state import Phase
from gammon_engine.settings import MatchPlay, SessionPlay, Settings
from gammon_records.agreed import agreed
from gammon_records.finish_game import finish_game
from gammon_records.follow_game import CrawfordDouble, Turn, follow_turns
from gammon_records.mat import Cubed, GaveUp, MatFile, MatGame, Rolled, Won
from gammon_records.mat_reader import read_mat_file
from gammon_records.record import Record
from gammon_records.refused import Refused
from gammon_records.results import WrittenResult
from gammon_records.seats import Seats, seats_of
from gammon_records.snowie import is_set_up
from gammon_records.table import Table


def read_mat(content: bytes) -> Record | Refused:
    """The record of a MAT file, or the first line that keeps it from being one."""
    mat = read_mat_file(content)
    if isinstance(mat, Refused):
        return mat
    settings = agreed(mat)
    if isinstance(settings, Refused):
        return settings
    followed = _follow(mat, settings, None)
    if isinstance(followed, CrawfordDouble):
        assert isinstance(settings.play, MatchPlay), "only a match has a Crawford game"
        without = replace(settings, play=replace(settings.play, crawford=False))
        followed = _follow(mat, without, followed)
        assert not isinstance(followed, CrawfordDouble), "this match has no Crawford game"
    return followed


def _follow(mat: MatFile, settings: Settings, doubled: CrawfordDouble | None) -> Record | Refused | CrawfordDouble:
    table = Table(settings)
    if doubled is not None:
        table.warn(doubled.line, "a double in the Crawford game: the match is taken to be without that rule")
    for line in mat.ignored:
        table.warn(line, "this line is not understood, and left out")
    seats = [seats_of(mat, game) for game in mat.games]
    won = [0, 0]
    for index, game in enumerate(mat.games):
        following = (mat.games[index + 1], seats[index + 1]) if index + 1 < len(mat.games) else None
        if table.over:
            if any(isinstance(cell.says, Rolled | Cubed) for cell in game.cells):
                return Refused(game.line, "rule 7.1: the match is over, and the record goes on")
            table.warn(game.line, "the match is over; a game without plays is left out")
            continue
        stop = _scores(table, game, seats[index], won, first=index == 0) or _game(table, game, seats[index], following)
        if stop is not None:
            return stop
        if table.ended is not None and table.ended.winners:
            won[table.ended.winners[0]] += int(max(table.ended.points))
    _end(table, mat)
    return Record(
        settings=settings,
        names=seats[0].full_names,
        parts=tuple(table.parts),
        warnings=tuple(sorted(table.warnings, key=lambda warned: warned.line)),
        over=table.over,
        first_line=mat.length_line,
        last_line=mat.last_line,
    )


def _scores(table: Table, game: MatGame, seats: Seats, won: list[int], *, first: bool) -> Refused | None:
    """Compares the score a game begins with. `won`: the points of each seat so far; a session's record has those."""
    said = seats.by_seat(game.scores)
    in_match = isinstance(table.settings.play, MatchPlay)
    if first and not in_match:
        won[:] = said
        return None
    shown = f"{said[0]} : {said[1]}"
    if first and any(said):
        return Refused(game.line, f"the record begins at {shown}; only one that begins at 0 : 0 can be followed")
    if said != tuple(won):
        table.warn(game.line, f"the record has the score {shown}, by the law it is {won[0]} : {won[1]}")
        if not in_match:
            won[:] = said
    return None


def _game(
    table: Table, game: MatGame, seats: Seats, following: tuple[MatGame, Seats] | None
) -> Refused | CrawfordDouble | None:
    if seats.strangers:
        table.warn(game.line, "this game names other players; the columns are taken as in the first game")
    table.ended, table.last_game = None, following is None
    table.result, whole = _result(table, game, seats, following)
    table.given_up = any(isinstance(cell.says, GaveUp) for cell in game.cells)
    turns = _turns(table, game, seats)
    stop = follow_turns(table, turns)
    if stop is not None:
        return stop
    if table.ended is None and not table.over:
        if table.result is not None:
            refused = finish_game(table, table.result, whole)
            if refused is not None:
                return refused
        elif following is not None:
            return Refused(following[0].line, f"game {game.number} has no result, and the next one begins")
        else:
            table.warn(turns[-1].line if turns else game.line, f"the record ends within game {game.number}")
    table.result = None
    return None


def _turns(table: Table, game: MatGame, seats: Seats) -> list[Turn]:
    played = [cell for cell in game.cells if isinstance(cell.says, Rolled | Cubed)]
    first = played[0].says if played else None
    if isinstance(first, Rolled) and first.position and is_set_up(first.position, played[0].column, table.game):
        del played[0]
    return [
        Turn(seats.of_column[cell.column], cell.line, cell.says, last=cell is played[-1])
        for cell in played
        if isinstance(cell.says, Rolled | Cubed)
    ]


def _result(
    table: Table, game: MatGame, seats: Seats, following: tuple[MatGame, Seats] | None
) -> tuple[WrittenResult | None, bool]:
    """What the record says of the game's end, and whether the loser gave up the match.

    Who wins is what the last such word says, how much is said beside it or by the score that the next game begins
    with. Where nothing says how much, as in a record that breaks off, there is no result.
    """
    grown = _grown(game, seats, following)
    in_match = isinstance(table.settings.play, MatchPlay)
    whole = in_match and any(isinstance(cell.says, GaveUp) and cell.says.whole for cell in game.cells)
    said = _said(game, seats)
    if said is None:
        return grown, False
    if not said.points and grown is not None and grown.winner == said.winner:
        said = replace(said, points=grown.points)
    return (said if said.points or whole else None), whole


def _said(game: MatGame, seats: Seats) -> WrittenResult | None:
    # Of both words the winner's counts, wherever it stands.
    for kind in (Won, GaveUp, Rolled):
        for cell in reversed(game.cells):
            if isinstance(cell.says, kind):
                seat = seats.of_column[cell.column]
                match cell.says:
                    case Won(points, ends_match):
                        return WrittenResult(seat, points, ends_match, cell.line)
                    case GaveUp(_, points):
                        return WrittenResult(1 - seat, points, False, cell.line)
                    case Rolled(gave_up=True):
                        return WrittenResult(1 - seat, 0, False, cell.line)
    return None


def _grown(game: MatGame, seats: Seats, following: tuple[MatGame, Seats] | None) -> WrittenResult | None:
    """The result that the next score implies: one seat has more than before."""
    if following is None:
        return None
    before, after = seats.by_seat(game.scores), following[1].by_seat(following[0].scores)
    more = [new - old for old, new in zip(before, after, strict=True)]
    winners = [seat for seat in (0, 1) if more[seat] > 0 and more[1 - seat] == 0]
    return WrittenResult(winners[0], more[winners[0]], False, following[0].line) if winners else None


def _end(table: Table, mat: MatFile) -> None:
    """A session is over when its record ends between games; a match when it is won."""
    if mat.breaks_off and not table.over:
        table.warn(mat.last_line, "the record breaks off where the next game begins")
        return
    between = table.state.phase is Phase.OPENING and not table.state.contenders and table.ended is not None
    if between and isinstance(table.settings.play, SessionPlay):
        violation = table.try_act(act.EndSession(), mat.last_line)
        assert violation is None, violation
    elif between and isinstance(table.settings.play, MatchPlay):
        score = " : ".join(map(str, table.state.score))
        table.warn(mat.last_line, f"the record ends at {score}, before the match to {mat.points} is won")
