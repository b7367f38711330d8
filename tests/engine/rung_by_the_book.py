"""Rungammon counted slowly and by the book (rules.md 1.2 to 1.6, section 4); no code shared with the engine.

The men of a seat are a tuple of 25 counts in its own numbering, off first; a board is the men of both seats.
"""

from tests.engine.by_the_book import BookPlay

Men = tuple[int, ...]
Board = tuple[Men, Men]
Roll = tuple[int, int]


def read(text: str) -> Board:
    """The board of a position text."""
    first, second = (
        {name: int(count) for name, count in (pair.split(":") for pair in half.split(","))} for half in text.split()
    )
    names = ["off", *(str(point) for point in range(1, 25))]
    return tuple(first.get(name, 0) for name in names), tuple(second.get(name, 0) for name in names)


def write(board: Board) -> str:
    """The position text of a board."""
    halves = []
    for men in board:
        pairs = [f"{point}:{men[point]}" for point in range(24, 0, -1) if men[point]]
        halves.append(",".join([*pairs, f"off:{men[0]}"] if men[0] else pairs))
    return " ".join(halves)


def theirs_on(point: int) -> int:
    """What the opponent calls this point; either may ask."""
    return (point + 11) % 24 + 1


def has_passed(men: Men) -> bool:
    """Whether a runner has passed (4.4)."""
    return any(men[point] for point in range(12))


def has_start_prime(men: Men) -> bool:
    """Whether all six points 24 to 19 are held (4.5)."""
    return min(men[19:]) > 0


def step(board: Board, seat: int, number: int, origin: int, release: str) -> tuple[Board, int] | None:
    """The board after one step, and its target; None if it is not legal."""
    men, others = board[seat], board[1 - seat]
    if men[origin] == 0:
        return None
    free = has_passed(men) and (release == "own" or has_passed(others))
    if not free and men[24] < 15 and origin == 24:
        return None  # 4.3: that would be the second
    target = origin - number
    if target > 0:
        if others[theirs_on(target)]:
            return None
    else:
        furthest = max(point for point in range(1, 25) if men[point])
        if furthest > 6 or (target < 0 and furthest > origin):
            return None
        target = 0
    after = [count - (point == origin) + (point == target) for point, count in enumerate(men)]
    if has_start_prime(tuple(after)):
        return None
    return ((tuple(after), others) if seat == 0 else (others, tuple(after))), target


def sequences(text: str, seat: int, roll: Roll, release: str = "own") -> dict[BookPlay, str]:
    """Every legal play of the roll with the position it leads to."""
    found: dict[BookPlay, Board] = {}

    def search(board: Board, left: tuple[int, ...], done: BookPlay) -> None:
        found[done] = board
        for number, rest, after, origin, target in ways_on(board, seat, left, release):
            search(after, rest, (*done, (number, origin, target)))

    search(read(text), numbers(roll), ())
    most = max(map(len, found))
    legal = {play: board for play, board in found.items() if len(play) == most}
    if most == 1 and len({play[0][0] for play in legal}) == 2:
        # The larger number, but either bears off the last man (1.6).
        legal = {play: board for play, board in legal.items() if play[0][0] == max(roll) or board[seat][0] == 15}
    return {play: write(board) for play, board in legal.items()}


def results(text: str, seat: int, roll: Roll, release: str = "own") -> list[str]:
    """The positions that `sequences` leads to, sorted; counted step by step for all plays at once."""
    reached = {(read(text), numbers(roll))}
    while True:
        further = {
            (after, rest) for board, left in reached for _, rest, after, _, _ in ways_on(board, seat, left, release)
        }
        if not further:
            break
        reached = further
    left_over = {rest for _, rest in reached}
    if len(left_over) == 2:  # either number alone: the larger is played, the smaller is left
        reached = {(board, rest) for board, rest in reached if rest == (min(roll),)}
    return sorted({write(board) for board, _ in reached})


def numbers(roll: Roll) -> tuple[int, ...]:
    return roll * 2 if roll[0] == roll[1] else roll


def ways_on(
    board: Board, seat: int, left: tuple[int, ...], release: str
) -> list[tuple[int, tuple[int, ...], Board, int, int]]:
    """Each next step: its number, the numbers left after it, the board after it, its origin and target."""
    found = []
    for number in set(left):
        rest = list(left)
        rest.remove(number)
        for origin in range(1, 25):
            stepped = step(board, seat, number, origin, release)
            if stepped is not None:
                found.append((number, tuple(rest), stepped[0], origin, stepped[1]))
    return found


def outcome(text: str, seat: int, release: str = "own") -> str | None:
    """`single`, `gammon` or `rungammon` if `seat` has won, `remi` if nobody can move, else None."""
    board = read(text)
    if board[seat][0] == 15:
        other = board[1 - seat]
        if other[0]:
            return "single"
        return "rungammon" if sum(other[13:]) else "gammon"
    every = tuple(range(1, 7))
    stuck = not any(ways_on(board, mover, every, release) for mover in (0, 1))
    return "remi" if stuck else None
