"""GNU Backgammon position IDs: 14 base64 characters, 80 bits, least significant bit of each byte first.

The player who is not on roll comes first; for points 1 to 24 and the bar, in the owner's numbering, one set
bit a checker and then a clear one.
"""

import base64


def position_of(position_id: str) -> str:
    """The position text with the player on roll as seat 0."""
    bits = [byte >> bit & 1 for byte in base64.b64decode(position_id + "==") for bit in range(8)]
    sides: list[list[int]] = []
    for _ in range(2):
        counts = []
        for _ in range(25):
            end = bits.index(0)
            counts.append(end)
            bits = bits[end + 1 :]
        sides.append(counts)
    waiting, on_roll = sides
    return f"{_side(on_roll)} {_side(waiting)}"


def _side(counts: list[int]) -> str:
    names = [*map(str, range(1, 25)), "bar"]
    pairs = [f"{name}:{count}" for name, count in zip(names, counts, strict=True) if count]
    off = [f"off:{15 - sum(counts)}"] if sum(counts) < 15 else []
    return ",".join(pairs[::-1] + off)
