"""The append script as a command on the wire: its text, its arguments, and what its answers mean."""

import hashlib
from importlib.resources import files
from typing import Final

from gammon_match.adapters.index_rows import stored_row
from gammon_match.adapters.partitions import MatchKeys
from gammon_match.adapters.redis_link import error_code, error_text, packed
from gammon_match.app.ports import (
    Appended,
    AppendResult,
    Batch,
    Closed,
    Conflict,
    Corrupt,
    DurabilityLevel,
    Fenced,
    Head,
    NotConfirmed,
    NotWritten,
    OutcomeUnknown,
)
from gammon_match.core.listing import ListingChange

SCRIPT: Final = files("gammon_match.adapters").joinpath("append.lua").read_bytes()
SCRIPT_SHA: Final = hashlib.sha1(SCRIPT, usedforsecurity=False).hexdigest().encode()

# What the script writes, as a number: raised when an older service could no longer work on the same keys.
SCRIPT_FORMAT: Final = 1

# About how many changes of lists a partition keeps for those who watch them; who falls behind reads rows again.
CHANGES_KEPT: Final = 1000

_BY_SHA: Final = (b"EVALSHA", SCRIPT_SHA)
_BY_TEXT: Final = (b"EVAL", SCRIPT)

# Error replies given before the script has written anything: it checks before it writes, and with `#!lua` the
# server looks at memory, disk, role and slots before it runs it (event store 1.5). After any other error the
# outcome is unknown.
_REFUSED_BEFORE_WRITING: Final = frozenset(
    (
        *("OOM", "MISCONF", "NOREPLICAS", "READONLY", "LOADING", "MASTERDOWN", "BUSY"),
        *("CLUSTERDOWN", "TRYAGAIN", "MOVED", "ASK", "CROSSSLOT"),
        *("NOPERM", "NOAUTH", "WRONGPASS", "NOSCRIPT"),
    )
)


def append_command(keys: MatchKeys, lineage: int, batch: Batch, *, by_text: bool = False) -> bytes:
    """The append of `batch` as it is sent: by EVALSHA, or by EVAL for a server that has lost the script."""
    pairs = [part for pair in zip(batch.envelopes, batch.hashes, strict=True) for part in pair]
    listed_keys, listed = ((), ()) if batch.listing is None else _listed(keys, batch.head.sequence, batch.listing)
    return packed(
        *(_BY_TEXT if by_text else _BY_SHA),
        5 + len(listed_keys),
        keys.events,
        keys.head,
        keys.partition.feed,
        keys.partition.meta,
        keys.partition.matches,
        *listed_keys,
        lineage,
        batch.expected.sequence,
        batch.expected.hash,
        batch.match_id,
        b"1" if batch.closes else b"0",
        batch.feed_entry or b"",
        len(batch.envelopes),
        *pairs,
        *listed,
    )


def _listed(keys: MatchKeys, sequence: int, change: ListingChange) -> tuple[tuple[bytes, ...], tuple[bytes | int, ...]]:
    partition = keys.partition
    facets = [partition.facet(name) for name in (*sorted(change.facets), *sorted(change.gone))]
    row = b"" if change.listing is None else stored_row(sequence, change.listing)
    return (partition.rows, partition.changes, *facets), (row, len(change.facets), CHANGES_KEPT)


def verdict(reply: object, asked: DurabilityLevel, achieved: DurabilityLevel) -> AppendResult:
    """What the script's reply means for a batch, `achieved` being the level of the server that gave it."""
    match reply:
        case [b"APPENDED" | b"DUPLICATE" as outcome]:
            if achieved.value < asked.value:
                return NotConfirmed(achieved)
            return Appended(achieved, duplicate=outcome == b"DUPLICATE")
        case [b"CONFLICT", bytes() as sequence, bytes() as at_hash]:
            return Conflict(Head(int(sequence), at_hash))
        case [b"CLOSED", bytes() as sequence, bytes() as at_hash]:
            return Closed(Head(int(sequence), at_hash))
        case [b"FENCED", bytes() as lineage]:
            return Fenced(int(lineage))
        case [b"CORRUPT", bytes() as fault]:
            return Corrupt(fault.decode())
        case [b"REFUSED", bytes() as fault]:
            return NotWritten(fault.decode())
        case Exception() as error:
            return _verdict_on_error(error)
        case _:
            return OutcomeUnknown(f"REPLY: {reply!r}")


def _verdict_on_error(error: Exception) -> AppendResult:
    code = error_code(error)
    if code in _REFUSED_BEFORE_WRITING:
        return NotWritten(error_text(error))
    if code == "WRONGTYPE":
        return Corrupt(f"another kind of value under a key of this match or partition ({error_text(error)})")
    return OutcomeUnknown(error_text(error))
