"""Small MAT files of our own."""

from gammon_engine.referee import actions as act
from gammon_engine.registry import game_of
from gammon_engine.settings import Settings
from gammon_records.record import Acted, Claimed, Record


def mat(points: int, *games: str, headers: str = "") -> str:
    """A file: the length, then the games as they stand."""
    return f"{headers}\n{points} point match\n\n" + "\n".join(games)


def game(number: int, *rows: str, left: str = "Ann : 0", right: str = "Bob : 0") -> str:
    """One game of rows that are written out."""
    return "\n".join([f" Game {number}", f" {left:<31s}{right}", *rows, ""])


def row(number: int, left: str = "", right: str = "") -> str:
    """A row with its right cell where most programs put it."""
    return f"{number:3d}) {left:<28s}{right}".rstrip()


def acts(record: Record) -> list[str]:
    """What happened, one short text an act: `0 64 24/18 13/9`, `1 double`, and claims as `(0 wins 2)`."""
    return [_words(record.settings, part) for part in record.parts]


def _words(settings: Settings, part: Acted | Claimed) -> str:
    if isinstance(part, Claimed):
        more = " and the match" if part.ends_match else ""
        return f"({part.winner} wins {part.points}{more})" if part.lawful else f"({part.winner} wins {part.points}?!)"
    match part.action:
        case act.Open(dice):
            return f"open {dice[0]}-{dice[1]}"
        case act.EndSession():
            return "end"
        case act.RollDice(seat, dice):
            return f"{seat} rolls {dice[0]}-{dice[1]}"
        case act.MakePlay(seat, play):
            return f"{seat}: {play if isinstance(play, str) else game_of(settings).write_play(play)}"
        case act.RecordPlay(seat, play, position):
            return f"{seat} illegal: {game_of(settings).write_play(play)} -> {position}"
        case act.Resign(seat, level):
            return f"{seat} resigns {level}"
        case act.VoidGame() | act.SetScore() as ruling:
            return type(ruling).__name__.lower()
        case other:
            return f"{other.seat} {type(other).__name__.lower()}"
