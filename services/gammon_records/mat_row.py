"""One line of a game as cells, without trusting any producer's columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gammon_records.mat import Cell, Cubed, GaveUp, Rolled, Won, Word

# Over all producers a left cell starts at 7 or before, a right one at 33 or later.
RIGHT_FROM = 20
# A word that stands this close behind a roll belongs to its cell.
SAME_CELL = 3

_ROW_NUMBER = re.compile(r"\s*\d+\)")
_TOKEN = re.compile(
    r"(?<![\d/])(?P<dice>[0-6][0-6]):"
    r"|\b(?P<word>redoubles|doubles|beavers|raccoons|takes|accepts|drops|rejects|passes"
    r"|wins|losses|loses|lost|resigns|resigned|concedes|forfeits)\b",
    re.IGNORECASE,
)
_ILLEGAL = re.compile(r"\s*illegal play\s*\(?", re.IGNORECASE)
_STUCK = re.compile(r"cannot move|can't move|no move", re.IGNORECASE)
# A row printed inside a cell of another row leaves its number behind.
_STRAY_NUMBER = re.compile(r"(^|\s)\d+\)\s*$")
_VALUE = re.compile(r"\s*(?:=>|to)\s*(\d{1,9})", re.IGNORECASE)
_POINTS = re.compile(r"\s*(\d{1,9})\s*points?", re.IGNORECASE)
_ENDS_MATCH = re.compile(r"and\s+the\s+match", re.IGNORECASE)
_GIVING_UP = ("losses", "loses", "lost", "resigns", "resigned", "concedes", "forfeits")
_CUBE_WORDS = {
    "redoubles": Word.DOUBLE,
    "doubles": Word.DOUBLE,
    "beavers": Word.BEAVER,
    "raccoons": Word.RACCOON,
    "takes": Word.TAKE,
    "accepts": Word.TAKE,
    "drops": Word.DROP,
    "rejects": Word.DROP,
    "passes": Word.DROP,
}


@dataclass(frozen=True, slots=True)
class _Token:
    """A roll or a word, where it starts, and the text up to the next token."""

    start: int
    dice: str
    word: str
    rest: str


def read_row(text: str, line: int) -> tuple[Cell, ...]:
    """The cells of a line, in the order they were played; none where it says nothing known."""
    text = _untabbed(text)
    numbered = _ROW_NUMBER.match(text) is not None
    cells: list[Cell] = []
    previous: _Token | None = None
    for token in _tokens(text):
        column = _column(token, previous, cells)
        says = _says(token)
        before = cells[-1] if cells else None
        spoken = before.says if before is not None and before.column == column else None
        if isinstance(says, GaveUp) and isinstance(spoken, Rolled):
            cells[-1] = Cell(line, column, Rolled(spoken.dice, spoken.play, gave_up=True))
            if says.points or says.whole:
                cells.append(Cell(line, column, says))
        elif numbered or not isinstance(says, GaveUp):
            # Outside a row some programs print the loser's words at the left edge, whoever lost.
            cells.append(Cell(line, column, says))
        previous = token
    return tuple(cells)


def is_known(text: str) -> bool:
    """Whether a line of a game says something known, or nothing but its number."""
    return _TOKEN.search(text) is not None or not _ROW_NUMBER.sub("", text, count=1).strip()


def _untabbed(text: str) -> str:
    """A tab separates columns: what follows the last one of a row is its right cell."""
    if "\t" not in text:
        return text
    number = _ROW_NUMBER.match(text)
    head, body = (number.group(), text[number.end() :]) if number else ("", text)
    cells = body.split("\t")
    if len(cells) > 2 and not cells[0].strip():
        del cells[0]
    left, right = cells[0], " ".join(cells[1:])
    return f"{head}{left}".ljust(RIGHT_FROM + 1) + right if right.strip() else head + left


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    found = _TOKEN.search(text, at)
    while found is not None:
        until = found.end()
        illegal = _ILLEGAL.match(text, until) if found["dice"] else None
        if illegal is not None:
            # What stands in the parentheses may hold names, and names may hold anything.
            closed = text.find(";)", illegal.end())
            closed = closed + 1 if closed >= 0 else text.find(")", illegal.end())
            until = closed if closed >= 0 else illegal.end()
        following = _TOKEN.search(text, until)
        rest = text[found.end() : following.start() if following else len(text)]
        yield _Token(found.start(), found["dice"] or "", (found["word"] or "").lower(), rest)
        found = following


def _column(token: _Token, previous: _Token | None, cells: list[Cell]) -> int:
    if previous is None or not cells:
        return int(token.start >= RIGHT_FROM)
    close = not previous.rest.strip() and len(previous.rest) <= SAME_CELL
    if close and previous.dice and token.word in _GIVING_UP:
        return cells[-1].column
    # A row printed inside another one is read by its last columns, which are right ones.
    return 1


def _says(token: _Token) -> Rolled | Cubed | GaveUp | Won:
    if token.dice:
        return _rolled(token)
    if token.word in _CUBE_WORDS:
        value = _VALUE.match(token.rest)
        return Cubed(_CUBE_WORDS[token.word], int(value.group(1)) if value else 0)
    points = _POINTS.match(token.rest)
    count = int(points.group(1)) if points else 0
    if token.word == "wins":
        return Won(count, bool(_ENDS_MATCH.search(token.rest)))
    # Time runs out for the match (8.4).
    whole = token.word == "forfeits" or token.rest.strip().lower().startswith(("match", "on time"))
    return GaveUp(whole, count)


def _rolled(token: _Token) -> Rolled:
    dice = (int(token.dice[0]), int(token.dice[1]))
    illegal = _ILLEGAL.match(token.rest)
    if illegal is not None:
        inside = token.rest[illegal.end() :]
        return Rolled(dice, position=inside.rpartition(")")[0].strip() or inside.strip() or "?")
    text = _STRAY_NUMBER.sub("", token.rest).strip()
    gave_up = "??" in text
    stuck = bool(_STUCK.search(text))
    play = "" if gave_up or stuck else text
    return Rolled(dice if all(dice) else None, play, stuck, gave_up)
