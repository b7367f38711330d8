"""A row of the index as it is stored: the sequence of the event that last changed it, then the entry's bytes."""

from typing import Final

from gammon_match.app.index import Row

_SEQUENCE_BYTES: Final = 8


def stored_row(sequence: int, listing: bytes) -> bytes:
    """The bytes of a row."""
    return sequence.to_bytes(_SEQUENCE_BYTES, "big") + listing


def row_of(match_id: str, stored: bytes | None) -> Row:
    """The row that stored bytes are; None: the index knows the id alone."""
    if stored is None:
        return Row(match_id)
    return Row(match_id, int.from_bytes(stored[:_SEQUENCE_BYTES], "big"), stored[_SEQUENCE_BYTES:])
