"""Catchgammon counted slowly and by the book (rules.md 1.2 to 1.6, section 3); no code shared with the engine.

A board is the 24 points in seat 0's numbering, and at 0 nothing. A point is a word with the seat of each checker on
it, from the bottom up: `10` is a checker of seat 1 trapped under one of seat 0. What is on no point is off.
"""

from tests.engine.by_the_book import BookPlay

Board = tuple[str, ...]


def place(seat: int, point: int) -> int:
    return point if seat == 0 else 25 - point


def read(text: str) -> Board:
    """The board of a position text."""
    board = [""] * 25
    for seat, half in enumerate(text.split()):
        for name, count in (pair.split(":") for pair in half.split(",")):
            if count == "1t":
                board[place(seat, int(name))] = f"{seat}" + board[place(seat, int(name))]
            elif name != "off":
                board[place(seat, int(name))] += f"{seat}" * int(count)
    return tuple(board)


def write(board: Board) -> str:
    """The position text of a board."""
    halves = []
    for seat in (0, 1):
        pairs, off = [], 15
        for point in range(24, 0, -1):
            pile = board[place(seat, point)]
            count = pile.count(f"{seat}")
            off -= count
            if count:
                pairs.append(f"{point}:1t" if pile[-1] != f"{seat}" else f"{point}:{count}")
        halves.append(",".join([*pairs, f"off:{off}"] if off else pairs))
    return " ".join(halves)


def step(board: Board, seat: int, number: int, origin: int) -> tuple[Board, int] | None:
    """The board after one step, and its target; None if it is not legal."""
    me = f"{seat}"
    pile = board[place(seat, origin)]
    if not pile.endswith(me):
        return None
    after = list(board)
    after[place(seat, origin)] = pile[:-1]
    target = origin - number
    if target > 0:
        there = board[place(seat, target)]
        if len(there) > 1 and not there.endswith(me):
            return None
        after[place(seat, target)] = there + me
        return tuple(after), target
    for point in range(1, 25):
        pile = board[place(seat, point)]
        if me in pile and (point > 6 or not pile.endswith(me) or (target < 0 and point > origin)):
            return None
    return tuple(after), 0


def sequences(text: str, seat: int, roll: tuple[int, int]) -> dict[BookPlay, str]:
    """Every legal play of the roll with the position it leads to."""
    found: dict[BookPlay, Board] = {}

    def search(board: Board, left: list[int], done: BookPlay) -> None:
        found[done] = board
        for number in set(left):
            rest = left[:]
            rest.remove(number)
            for origin in range(24, 0, -1):
                stepped = step(board, seat, number, origin)
                if stepped is not None:
                    search(stepped[0], rest, (*done, (number, origin, stepped[1])))

    search(read(text), [roll[0]] * 4 if roll[0] == roll[1] else list(roll), ())
    most = max(len(play) for play in found)
    legal = {play: board for play, board in found.items() if len(play) == most}
    if most == 1 and len({play[0][0] for play in legal}) == 2:
        legal = {play: board for play, board in legal.items() if play[0][0] == max(roll)}
    return {play: write(board) for play, board in legal.items()}


def outcome(text: str, seat: int) -> str | None:
    """`single`, `gammon` or `catchgammon` if `seat` has won, `remi`, or None."""
    board = read(text)
    other = 1 - seat
    if not any(f"{seat}" in pile for pile in board):
        if any(f"{other}" in board[place(other, point)] for point in range(19, 25)):
            return "catchgammon"
        return "single" if "off" in text.split()[other] else "gammon"
    if board[24][:1] == "0" and board[24][-1:] == "1" and board[1][:1] == "1" and board[1][-1:] == "0":
        return "remi"
    if any(step(board, mover, number, point) for mover in (0, 1) for number in range(1, 7) for point in range(1, 25)):
        return None
    return "remi"
