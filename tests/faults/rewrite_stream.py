"""Rebuilds one match's stream over a raw connection with one byte of one event changed; the head stays as it was.

`python -m tests.faults.rewrite_stream REDIS_URL MATCH SEQUENCE`, to see what `gammon audit` says then.
"""

import sys

import redis

from gammon_match.adapters.partitions import keys_of

Entries = list[tuple[bytes, dict[bytes, bytes]]]


def entries_of(client: "redis.Redis", match_id: str) -> Entries:
    """The stream as it is."""
    keys = keys_of(match_id)
    assert keys is not None
    return list(client.xrange(keys.events))  # type: ignore[arg-type]


def rewrite_stream(client: "redis.Redis", match_id: str, entries: Entries) -> None:
    """Builds the stream anew with these entries, as nobody but an intruder would."""
    keys = keys_of(match_id)
    assert keys is not None
    client.delete(keys.events)
    for entry_id, fields in entries:
        client.xadd(keys.events, dict(fields), id=entry_id)  # type: ignore[arg-type]


def change_one_byte(client: "redis.Redis", match_id: str, sequence: int) -> None:
    """Changes one bit in the middle of one event's envelope."""
    entries = entries_of(client, match_id)
    entry_id, fields = entries[sequence - 1]
    body = bytearray(fields[b"b"])
    body[len(body) // 2] ^= 1
    entries[sequence - 1] = entry_id, fields | {b"b": bytes(body)}
    rewrite_stream(client, match_id, entries)


if __name__ == "__main__":
    with redis.Redis.from_url(sys.argv[1]) as link:
        change_one_byte(link, sys.argv[2], int(sys.argv[3]))
