"""What an audit looks at: a match as it is stored, wherever that was read from, and what others keep of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RawEvent:
    """One event as stored: its sequence, the envelope's bytes, the stored hash."""

    sequence: int
    envelope: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match as stored: its events in stored order, and the head record (sequence 0: there is none)."""

    match_id: str
    events: tuple[RawEvent, ...]
    head_sequence: int
    head_hash: bytes


@dataclass(frozen=True, slots=True)
class Receipt:
    """What somebody outside the store was told: the chain's hash of a match at a sequence."""

    match_id: str
    sequence: int
    hash: bytes
