"""Trackgammon counted slowly and by the book (rules.md 5.2 to 5.13); no code shared with the engine.

The board is what stands on the table: `board[place]` is a stack of (size, seat) from the bottom up. A place is the
seat and point of whoever names it first; a centre point is one place with two names. A step is (number, disc, origin,
target) in the mover's numbering.
"""

BookStep = tuple[int, int, int, int]
BookPlay = tuple[BookStep, ...]
Place = tuple[int, int]
Board = dict[Place, list[tuple[int, int]]]


class Table:
    """The board of one game: how many legs, and which points are centre points."""

    def __init__(self, seats: int, centres: tuple[int, ...]) -> None:
        self.seats = seats
        self.places: dict[Place, Place] = {}
        for seat in range(seats):
            for point in range(1, 15):
                self.places[seat, point] = (seat, point)
        # 5.2 to the left; to the right says the same from the other side.
        for seat in range(seats):
            for point in range(1, 8):
                if point in centres:
                    self.places[(seat + 1) % seats, 15 - point] = (seat, point)

    def read(self, text: str) -> Board:
        """The stacks of a position text; fails if one holds two discs of one size (5.8)."""
        board: Board = {place: [] for place in self.places.values()}
        for seat, part in enumerate(text.split(" ")):
            for size, point in enumerate(part.split(","), start=1):
                board[self.places[seat, int(point)]].append((size, seat))
        for stack in board.values():
            stack.sort(reverse=True)
            assert len({size for size, _ in stack}) == len(stack), text
        return board

    def write(self, board: Board) -> str:
        """The position text of the stacks."""
        parts = []
        for seat in range(self.seats):
            points = [
                next(point for point in range(1, 15) if (size, seat) in board[self.places[seat, point]])
                for size in range(1, 6)
            ]
            parts.append(",".join(map(str, points)))
        return " ".join(parts)

    def finished(self, board: Board, seat: int) -> bool:
        """Whether the stack on the seat's 14 is all five of its discs."""
        return len(board[self.places[seat, 14]]) == 5

    def step(self, board: Board, seat: int, step: BookStep) -> Board | None:
        """The board after one step, or None if it is not legal."""
        number, disc, origin, target = step
        if (seat, origin) not in self.places or (seat, target) not in self.places:
            return None
        stack = board[self.places[seat, origin]]
        if not stack or stack[-1] != (disc, seat):
            return None
        if not any(
            self._leads(board, seat, disc, way, target) for way in self._ways(board, seat, disc, origin, number)
        ):
            return None
        after = {place: list(discs) for place, discs in board.items()}
        after[self.places[seat, origin]].pop()
        landing = after[self.places[seat, target]]
        if landing and landing[-1][0] == disc and landing[-1][1] != seat:
            _, owner = landing.pop()
            home = after[self.places[owner, 1]]
            home.append((disc, owner))
            home.sort(reverse=True)
        landing.append((disc, seat))
        return after

    def _ways(self, board: Board, seat: int, disc: int, origin: int, number: int) -> list[list[int]]:
        forwards = [*range(1, 15), *range(13, 0, -1)]
        backwards = [*range(14, 0, -1), *range(2, 15)]
        ways = []
        for line in (forwards, backwards):
            here = line.index(origin)
            ways.append(line[here + 1 : here + number + 1])
        larger_in = all((size, seat) in board[self.places[seat, 14]] for size in range(disc + 1, 6))
        if larger_in and origin != 14 and origin + number > 14:
            ways.append(list(range(origin + 1, 15)))
        return ways

    def _leads(self, board: Board, seat: int, disc: int, way: list[int], target: int) -> bool:
        *passed, end = way
        for point in passed:
            for size, owner in board[self.places[seat, point]]:
                if owner != seat and size < disc:
                    return False
        return end == target and all(size >= disc for size, _ in board[self.places[seat, target]])

    def result(self, text: str, seat: int, roll: tuple[int, int], play: BookPlay) -> str | None:
        """The position a play leads to, or None if it is not legal."""
        board, left = self.read(text), numbers(roll)
        for step in play:
            if step[0] not in left or self.finished(board, seat):
                return None
            left.remove(step[0])
            after = self.step(board, seat, step)
            if after is None:
                return None
            board = after
        return self.write(board) if not left or self.finished(board, seat) else None

    def results(self, text: str, seat: int, roll: tuple[int, int]) -> list[str]:
        """The distinct positions that legal plays lead to, sorted."""
        reached = {(text, tuple(numbers(roll)))}
        ended = set()
        while reached:
            further = set()
            for position, left in reached:
                board = self.read(position)
                if not left or self.finished(board, seat):
                    ended.add(position)
                    continue
                for number in set(left):
                    still = list(left)
                    still.remove(number)
                    for disc, origin in self.tops(board, seat):
                        for target in range(1, 15):
                            after = self.step(board, seat, (number, disc, origin, target))
                            if after is not None:
                                further.add((self.write(after), tuple(still)))
            reached = further
        return sorted(ended)

    def tops(self, board: Board, seat: int) -> list[tuple[int, int]]:
        """Size and point of every disc of the seat that lies on top of its stack."""
        found = []
        for point in range(1, 15):
            stack = board[self.places[seat, point]]
            if stack and stack[-1][1] == seat:
                found.append((stack[-1][0], point))
        return found


def numbers(roll: tuple[int, int]) -> list[int]:
    """The numbers of a roll: both, or of a double each face twice and each reverse side twice (5.5)."""
    reverse = {1: 6, 2: 5, 3: 4, 4: 3, 5: 2, 6: 1}
    first, second = roll
    return [first, first, reverse[first], reverse[first]] if first == second else [first, second]
