"""A sheet laid out as MAT text, in the form that the most programs read: one hop a number, 25 and 0, hits marked."""

from __future__ import annotations

from collections.abc import Iterator

from gammon_engine.referee.stakes import cube_is_used
from gammon_engine.settings import MatchPlay, SetUp
from gammon_records.sheet import Sheet, SheetGame, Throw, Word

_LEFT_WIDTH = 27
_VARIATIONS = {
    None: "Backgammon",
    SetUp.STANDARD: "Backgammon",
    SetUp.NACKGAMMON: "NackGammon",
    SetUp.HYPERGAMMON: "HyperGammon",
    SetUp.LONGGAMMON: "LongGammon",
}


def write_mat(sheet: Sheet, names: tuple[str, str], match_id: str) -> str:
    """The text of a match, seat 0 on the left, lines ended by LF. `names` by seat, none of them empty."""
    left, right = (_one_line(name) for name in names)
    play = sheet.settings.play
    lines = [*_headers(sheet, (left, right), match_id), ""]
    lines += [f" {play.points if isinstance(play, MatchPlay) else 0} point match", ""]
    for game in sheet.games:
        lines += [f" Game {game.number}"]
        lines += [f" {f'{left} : {game.scores[0]}':<31s}{_gap(left, game.scores[0])}{right} : {game.scores[1]}"]
        lines += [*_rows(game), ""]
    return "\n".join(lines)


def _headers(sheet: Sheet, names: tuple[str, str], match_id: str) -> Iterator[str]:
    settings, play = sheet.settings, sheet.settings.play
    told = {
        "Site": "Gammon Ledger",
        "Match ID": match_id,
        "Player 1": names[0],
        "Player 2": names[1],
        "Variation": _VARIATIONS[settings.set_up],
    }
    if isinstance(play, MatchPlay):
        told["Crawford"] = "On" if play.crawford else "Off"
    else:
        told |= {"Jacoby": "On" if play.jacoby else "Off", "Beaver": "On" if play.beavers else "Off"}
    if not cube_is_used(settings):
        told["CubeLimit"] = "1"
    return (f'; [{key} "{value}"]' for key, value in told.items())


def _rows(game: SheetGame) -> list[str]:
    """The rows of a game, the result in the winner's column: in a cell if that is empty, else on a line of its own."""
    rows: list[list[str]] = []
    last = 1
    for seat, cell in game.cells:
        # A row is left cell, then right cell; who acts twice in a row leaves the other's cell empty.
        if seat <= last:
            rows.append(["", ""])
        rows[-1][seat] = _cell(cell)
        last = seat
    lines = []
    result = _result(game)
    if result and game.winner == 1 and rows and not rows[-1][1]:
        rows[-1][1], result = f" {result}", ""
    for number, (left, right) in enumerate(rows, 1):
        lines.append(f"{number:3d}) {left:<{_LEFT_WIDTH}s} {right}".rstrip())
    if result:
        lines.append(" " * (6 if game.winner == 0 else 34) + result)
    return lines


def _cell(cell: Word | Throw) -> str:
    if isinstance(cell, Word):
        return f" {cell.text}"
    return f"{cell.dice[0]}{cell.dice[1]}: {cell.made or ''}".rstrip()


def _result(game: SheetGame) -> str:
    if game.winner is None:
        return ""
    unit = "point" if game.points == 1 else "points"
    return f"Wins {game.points} {unit}" + (" and the match" if game.ends_match else "")


def _gap(name: str, score: int) -> str:
    """At least one blank more than the padding, also behind a long name."""
    return " " if len(f"{name} : {score}") >= 31 else ""


def _one_line(name: str) -> str:
    return "".join(letter if letter.isprintable() else "_" for letter in name).strip()
