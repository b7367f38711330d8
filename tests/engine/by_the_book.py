"""Backgammon counted slowly and by the book (rules.md 1.2 to 1.6, 2.2, 2.3); no code shared with the engine.

A side is a list of 26 counts, off first and the bar last, in its owner's numbering. A play is a tuple of
(number, origin, target).
"""

BookPlay = tuple[tuple[int, int, int], ...]
Sides = tuple[tuple[int, ...], tuple[int, ...]]


def read(text: str) -> Sides:
    """Both sides of a position text, seat 0 first."""
    sides = []
    for half in text.split():
        counts = [0] * 26
        for pair in half.split(","):
            name, count = pair.split(":")
            point = 0 if name == "off" else 25 if name == "bar" else int(name)
            counts[point] = int(count)
        sides.append(tuple(counts))
    return sides[0], sides[1]


def write(sides: Sides) -> str:
    """The position text of both sides."""
    halves = []
    for counts in sides:
        pairs = [f"bar:{counts[25]}"] if counts[25] else []
        pairs += [f"{point}:{counts[point]}" for point in range(24, 0, -1) if counts[point]]
        pairs += [f"off:{counts[0]}"] if counts[0] else []
        halves.append(",".join(pairs))
    return " ".join(halves)


def step(mine: list[int], theirs: list[int], number: int, origin: int) -> int | None:
    """Do one step if it is legal, and return its target; None and nothing done if it is not."""
    if mine[origin] == 0:
        return None
    if mine[25] > 0 and origin != 25:
        return None
    target = origin - number
    if target <= 0:
        if sum(mine[7:26]) > 0:
            return None
        if target < 0 and sum(mine[origin + 1 : 7]) > 0:
            return None
        target = 0
    else:
        if theirs[25 - target] >= 2:
            return None
        if theirs[25 - target] == 1:
            theirs[25 - target] = 0
            theirs[25] += 1
    mine[origin] -= 1
    mine[target] += 1
    return target


def sequences(text: str, seat: int, roll: tuple[int, int]) -> dict[BookPlay, str]:
    """Every legal play of the roll with the position it leads to."""
    sides = read(text)
    numbers = [roll[0]] * 4 if roll[0] == roll[1] else list(roll)
    found: dict[BookPlay, Sides] = {}

    def search(mine: list[int], theirs: list[int], left: list[int], done: BookPlay) -> None:
        found[done] = (tuple(mine), tuple(theirs))
        for number in set(left):
            rest = left[:]
            rest.remove(number)
            for origin in range(25, 0, -1):
                mine_then, theirs_then = mine[:], theirs[:]
                target = step(mine_then, theirs_then, number, origin)
                if target is not None:
                    search(mine_then, theirs_then, rest, (*done, (number, origin, target)))

    search(list(sides[seat]), list(sides[1 - seat]), numbers, ())
    most = max(len(play) for play in found)
    legal = {play: after for play, after in found.items() if len(play) == most}
    if most == 1 and len({play[0][0] for play in legal}) == 2:
        # The larger number, but either bears off the last checker (1.6).
        legal = {play: after for play, after in legal.items() if play[0][0] == max(roll) or not any(after[0][1:])}
    return {play: write((mine, theirs) if seat == 0 else (theirs, mine)) for play, (mine, theirs) in legal.items()}


def results(text: str, seat: int, roll: tuple[int, int]) -> list[str]:
    """The distinct positions that legal plays lead to, sorted."""
    return sorted(set(sequences(text, seat, roll).values()))
