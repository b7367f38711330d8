"""Players without their names: a reference is a keyed hash, and only who holds the key can tell whose it is."""

from __future__ import annotations

import hmac
import re

KEY_BYTES = 32
REFERENCE = re.compile(r"p_[0-9a-f]{40}")

# One server writes the rating behind the name, and a player's rating changes from match to match.
_RATING = re.compile(r",\d+(\.\d+)?$")


def player_references(key: bytes, names: tuple[str, str], source_sha256: bytes) -> tuple[str, str]:
    """The references by seat: HMAC-SHA256 over each name, the first 20 bytes in hex.

    Who has no name, or the name of the opponent, is nobody else in any other file. `key`: KEY_BYTES.
    """
    told = [_RATING.sub("", name.strip()) for name in names]
    anonymous = told[0] == told[1]
    first, second = (
        _reference(key, b"seat", source_sha256 + bytes([seat]))
        if anonymous or not name
        else _reference(key, b"name", name.encode())
        for seat, name in enumerate(told)
    )
    return first, second


def _reference(key: bytes, kind: bytes, value: bytes) -> str:
    return "p_" + hmac.digest(key, kind + b"\0" + value, "sha256")[:20].hex()
