"""The Snowie position line that stands in the place of an illegal play: `Illegal play (LINE)`.

Forty fields, each ended by a semicolon. There it is the position after the play, seen by the opponent of who played,
who is now on roll: field 12 holds the bar of who played, as a negative number, 13 to 36 the points of the opponent with
their own checkers positive, 37 the opponent's bar.
"""

from __future__ import annotations

from gammon_engine.board24 import pack, sides
from gammon_engine.game import Game
from gammon_engine.position import Position

FIELDS = 40
_FIRST_BOARD, _LAST_BOARD = 12, 37


def read_snowie_board(line: str, seat: int, checkers: int) -> Position | None:
    """The position of a line that stands for a play of `seat`; None where it is none.

    Borne-off checkers are what is missing of `checkers`.
    """
    fields = line.strip().strip(";").split(";")
    if len(fields) != FIELDS:
        return None
    try:
        board = [int(text) for text in fields[_FIRST_BOARD : _LAST_BOARD + 1]]
    except ValueError:
        return None
    theirs = [max(count, 0) for count in board]  # of who is on roll, on their own points; their bar last
    mine = [max(-count, 0) for count in reversed(board)]
    if board[0] > 0 or board[-1] < 0 or max(sum(theirs), sum(mine)) > checkers:
        return None
    theirs[0], mine[0] = checkers - sum(theirs), checkers - sum(mine)
    return pack(theirs, mine) if seat else pack(mine, theirs)


def checkers_of(game: Game) -> int:
    """How many checkers a seat has."""
    return sum(sides(game.start(), 0)[0])


def is_set_up(line: str, seat: int, game: Game) -> bool:
    """Whether a line only sets up the game: one server opens every game of another set-up with such a play."""
    return read_snowie_board(line, seat, checkers_of(game)) == game.start()


def write_snowie_board(position: Position, seat: int) -> str:
    """The line for an illegal play of `seat` that led to a position. Only the board is told."""
    opponent = 1 - seat
    own, other = sides(position, opponent)
    board = [-other[0], *(own[point] - other[point] for point in range(1, 25)), own[25]]
    head = ["0", "0", "0", "0", str(seat), "", "", "0", "0", "0", "1", "0"]
    return ";".join([*head, *map(str, board), "0", "0"]) + ";"
