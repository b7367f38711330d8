"""A MAT file read: bytes to lines to games, with the line of everything. Nothing is judged by the law here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gammon_records.mat import Cell, MatFile, MatGame
from gammon_records.mat_row import is_known, read_row
from gammon_records.refused import Refused

MOST_BYTES = 8 * 1024 * 1024
# Far beyond any match, and well inside what the contracts can carry.
MOST_POINTS = 100_000

_END_OF_LINE = re.compile(r"\r\n|\n|\r")
_LENGTH = re.compile(r"\s*(\d+)\s+points?\s+match\b", re.IGNORECASE)
_GAME = re.compile(r"\s*game\s+(\d{1,6})\b(?!.*:\s*-?\d+\s*$)", re.IGNORECASE)
_COMMENT = re.compile(r"\s*[;#]")
_HEADER = re.compile(r'\s*[;#]\s*\[\s*([^"\]]*?)\s*"(.*)"\s*\]')
_SET_POSITION = re.compile(r"\s*[;#]\s*set\s*pos", re.IGNORECASE)
_LAST_SCORE = re.compile(r"\s*:\s*(-?\d{1,6})\s*$")
_FIRST_SCORE = re.compile(r"\s*:\s*(-?\d{1,6})(?=\s|$)")


@dataclass(slots=True)
class _Open:
    """A game whose lines are still being read."""

    line: int
    number: int
    names: tuple[str, str]
    scores: tuple[int, int]
    cells: list[Cell] = field(default_factory=list)

    def closed(self) -> MatGame:
        return MatGame(self.line, self.number, self.names, self.scores, tuple(self.cells))


def read_lines(content: bytes) -> list[str] | Refused:
    """The lines of a file in UTF-8 or, where it is none, in the Windows encoding of old programs."""
    if len(content) > MOST_BYTES:
        return Refused(1, f"the file has {len(content)} bytes, at most {MOST_BYTES} are read")
    if b"\0" in content:
        return Refused(1, "the file is no text")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    return _END_OF_LINE.split(text)


def read_mat_file(content: bytes) -> MatFile | Refused:
    """What a file says, or the first line that cannot be read."""
    lines = read_lines(content)
    return lines if isinstance(lines, Refused) else _read(lines)


def _read(lines: list[str]) -> MatFile | Refused:
    headers: dict[str, str] = {}
    points, length_line = 0, 0
    games: list[_Open] = []
    ignored: list[int] = []
    waiting: tuple[int, int] | None = None  # a `Game` line: its number and line, before the names
    last_line = 0
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        last_line = number
        length, game = _LENGTH.match(text), _GAME.match(text)
        if waiting is not None:
            players = _names(text, _known(headers, games))
            if players is None and games and not any(line.strip() for line in lines[number:]):
                ignored.append(number)
                continue
            if players is None:
                return Refused(number, "expected the names and scores of a game, such as `NAME : 0  NAME : 0`")
            games.append(_Open(number, waiting[0], *players))
            waiting = None
        elif _COMMENT.match(text):
            header = _HEADER.match(text)
            if _SET_POSITION.match(text):
                return Refused(number, "the record sets a position, which no play leads to")
            if header is not None and not games:
                headers.setdefault(header.group(1).lower(), header.group(2))
        elif length is not None and not games:
            points, length_line = int(length.group(1)[:9]), number
            if points > MOST_POINTS:
                return Refused(number, f"a match to {length.group(1)} points; at most {MOST_POINTS} are read")
        elif length is not None:
            return Refused(number, "a second match begins; a file holds one")
        elif game is not None:
            if not length_line:
                return Refused(number, "a game begins before a line such as `7 point match`")
            waiting = (int(game.group(1)), number)
        elif games:
            games[-1].cells.extend(read_row(text, number))
            if not is_known(text):
                ignored.append(number)
    if not games:
        what = "there is no game" if length_line else "there is no line such as `7 point match`: this is no MAT text"
        return Refused(max(last_line, 1), what)
    closed = tuple(game.closed() for game in games)
    return MatFile(points, headers, closed, length_line, last_line, tuple(ignored), waiting is not None)


def _known(headers: Mapping[str, str], games: list[_Open]) -> set[str]:
    """Names that are spelt out elsewhere."""
    told = {headers[key].strip() for key in ("player 1", "player 2") if key in headers}
    return told.union(*(game.names for game in games))


def _names(text: str, known: Iterable[str]) -> tuple[tuple[str, str], tuple[int, int]] | None:
    """Names and scores by column, read from the right: a name may hold anything, even a colon and a number."""
    last = _LAST_SCORE.search(text)
    if last is None:
        return None
    body = text[: last.start()]
    splits = [
        ((body[: first.start()].strip(), body[first.end() :].strip()), (int(first.group(1)), int(last.group(1))))
        for first in _FIRST_SCORE.finditer(body)
    ]
    if not splits:
        return None
    spelt = set(known)
    # Both names spelt elsewhere is best, then one.
    return max(splits, key=lambda split: sum(name in spelt for name in split[0]))
