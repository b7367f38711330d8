"""The hash chain that binds the events of a match: its configuration first, then each envelope as stored."""

import hashlib
from collections.abc import Iterable, Iterator

GENESIS_TAG = b"bgev/1/genesis\x00"
EVENT_TAG = b"bgev/1/event\x00"
HASH_SIZE = 32


def length_prefixed(data: bytes) -> bytes:
    """LP(x): the length as a big-endian 32-bit number, then the bytes."""
    return len(data).to_bytes(4, "big") + data


def genesis_hash(match_id: str, config: bytes) -> bytes:
    """h_0 of a match: 32 bytes over its id and the settings' bytes, verbatim."""
    return hashlib.sha256(GENESIS_TAG + length_prefixed(match_id.encode()) + length_prefixed(config)).digest()


def event_hash(previous: bytes, sequence: int, envelope: bytes) -> bytes:
    """h_n: 32 bytes over h_{n-1}, the sequence n (from 1) and the envelope's bytes as stored."""
    return hashlib.sha256(EVENT_TAG + previous + sequence.to_bytes(8, "big") + length_prefixed(envelope)).digest()


def chain_hashes(genesis: bytes, envelopes: Iterable[bytes], first: int = 1) -> Iterator[bytes]:
    """The hashes h_first, h_first+1, … of envelopes that follow the hash given."""
    current = genesis
    for sequence, envelope in enumerate(envelopes, first):
        current = event_hash(current, sequence, envelope)
        yield current
