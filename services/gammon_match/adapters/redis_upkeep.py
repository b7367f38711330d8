"""The index of matches from the inside, on Redis or Valkey: all that there is of it, compared and made right."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from gammon_match.adapters.index_rows import stored_row
from gammon_match.adapters.partitions import PARTITION_KEYS, TAGS, MatchKeys, PartitionKeys, keys_of, partition_of
from gammon_match.adapters.redis_index import ID_BYTES
from gammon_match.adapters.redis_link import RedisLink, packed
from gammon_match.adapters.redis_script import RedisScript
from gammon_match.app.listing_changes import Entry
from gammon_match.app.ports import Head, Unreadable
from gammon_match.app.reindex import Keys, Moved, PartIndexed

KEYS_A_SCAN: Final = 1000
_PARTITION_BY_TAG: Final = {tag: partition for partition, tag in enumerate(TAGS)}
_KEY: Final = re.compile(r"\{([^}]+)\}:(?:[eh]:(?P<match>.+)|i:(?P<facet>.+))", re.DOTALL)
_ENTRY: Final = RedisScript("index_entry.lua")
_LIST, _ROWS = "the list of all matches", "the rows"
_FAULTS: Final = {"list": f"it is not in {_LIST}", "row": "its row differs", "no row": "it has no row"}
_NO_LOG: Final = {"list": f"it has no log and is in {_LIST}", "row": "it has no log and a row"}


class RedisIndexUpkeep:
    """What `gammon index` works on."""

    def __init__(self, link: RedisLink) -> None:
        """`link`: to the server of the events."""
        self._link = link

    async def keys(self) -> Keys | Unreadable:
        """What there is, by names of keys."""
        logs: dict[int, set[str]] = defaultdict(set)
        facets: dict[int, set[str]] = defaultdict(set)
        cursor: object = b"0"
        while True:
            command = packed(b"SCAN", _bytes(cursor), b"MATCH", b"{bg1:p*", b"COUNT", KEYS_A_SCAN)
            match await self._link.read(command):
                case Unreadable() as unreadable:
                    return unreadable
                case [[cursor, list(names)]]:
                    for found in filter(None, map(_KEY.fullmatch, (name.decode(ID_BYTES) for name in names))):
                        partition = _PARTITION_BY_TAG.get(found[1], -1)
                        if found["facet"]:
                            facets[partition].add(found["facet"])
                        elif partition_of(found["match"]) == partition:
                            logs[partition].add(found["match"])
                case reply:
                    return Unreadable(f"CORRUPT: {reply!r}")
            if cursor == b"0":
                return Keys(_frozen(logs), _frozen(facets))

    async def part(self, partition: int, facets: frozenset[str], *, mend: bool) -> PartIndexed | Unreadable:
        """What the index of a partition names. Mending removes what is of another kind, and what is no match of it."""
        keys = PARTITION_KEYS[partition]
        sets = {_LIST: keys.matches, **{facet: _facet_key(keys, facet) for facet in sorted(facets)}}
        kinds = dict.fromkeys(sets.values(), b"zset") | {keys.rows: b"hash", keys.changes: b"stream"}
        strange = await self._of_another_kind(kinds)
        if isinstance(strange, Unreadable):
            return strange
        faults = [f"another kind of value is under {key.decode(ID_BYTES)}" for key in strange]
        if strange and not mend:
            return PartIndexed(None, tuple(faults))
        wrong = [packed(b"DEL", key) for key in strange]
        matches: dict[str, set[str]] = defaultdict(set)
        for where, key in (*sets.items(), (_ROWS, keys.rows)):
            members = () if key in strange else await self._members(key, in_hash=where == _ROWS)
            if isinstance(members, Unreadable):
                return members
            for member in members:
                match_id = member.decode(ID_BYTES)
                if partition_of(match_id) == partition:
                    matches[match_id].update(() if where in (_LIST, _ROWS) else (where,))
                else:
                    faults.append(f"partition {partition}: {match_id!r} is under {where}")
                    wrong.append(packed(b"HDEL" if where == _ROWS else b"ZREM", key, member))
        mended = await self._link.read(b"".join(wrong), len(wrong)) if mend and wrong else ()
        if isinstance(mended, Unreadable):
            return mended
        return PartIndexed({of: frozenset(under) for of, under in matches.items()}, tuple(faults))

    async def compare(
        self, match_id: str, head: Head, entry: Entry, found: frozenset[str], *, mend: bool
    ) -> tuple[str, ...] | Moved | Unreadable:
        """What is wrong about a match whose log ends at a head."""
        belongs, others = sorted(entry.facets), sorted(found - entry.facets)
        row = stored_row(entry.sequence, entry.listing)
        wrong = await self._run(
            b"log", match_id, [*belongs, *others], mend, head.sequence, head.hash, row, len(belongs)
        )
        if not isinstance(wrong, tuple):
            return wrong
        return tuple(_told(wrong, _FAULTS, [f"it is not under {facet}" for facet in belongs], others))

    async def compare_absent(
        self, match_id: str, found: frozenset[str], *, mend: bool
    ) -> tuple[str, ...] | Moved | Unreadable:
        """What is wrong about a match without a log."""
        others = sorted(found)
        wrong = await self._run(b"none", match_id, others, mend, b"", b"", b"", 0)
        return tuple(_told(wrong, _NO_LOG, [], others)) if isinstance(wrong, tuple) else wrong

    async def compare_unreadable(self, match_id: str, *, mend: bool) -> tuple[str, ...] | Unreadable:
        """What is wrong about a match whose log cannot be read."""
        wrong = await self._run(b"id", match_id, [], mend, b"", b"", b"", 0)
        assert not isinstance(wrong, Moved), "nothing was said of its head"
        return tuple(_told(wrong, _FAULTS, [], [])) if isinstance(wrong, tuple) else wrong

    async def _run(
        self, kind: bytes, match_id: str, facets: list[str], mend: bool, *arguments: bytes | int
    ) -> tuple[str, ...] | Moved | Unreadable:
        keys = _keys(match_id)
        partition = keys.partition
        names = (keys.events, keys.head, partition.matches, partition.rows, partition.changes)
        sets = (_facet_key(partition, facet) for facet in facets)
        reply = await _ENTRY.run(self._link, (*names, *sets), kind, int(mend), match_id, *arguments)
        match reply:
            case Unreadable():
                return reply
            case [b"MOVED"]:
                return Moved()
            case [b"SEEN", list(wrong)]:
                return tuple(name.decode() for name in wrong)
            case _:
                return Unreadable(f"CORRUPT: {reply!r}")

    async def _of_another_kind(self, kinds: Mapping[bytes, bytes]) -> list[bytes] | Unreadable:
        found = await self._link.read(b"".join(packed(b"TYPE", key) for key in kinds), len(kinds))
        if isinstance(found, Unreadable):
            return found
        return [
            key for (key, kind), is_of in zip(kinds.items(), found, strict=True) if _bytes(is_of) not in (kind, b"none")
        ]

    async def _members(self, key: bytes, *, in_hash: bool) -> set[bytes] | Unreadable:
        members: set[bytes] = set()
        cursor: object = b"0"
        while True:
            command = packed(b"HSCAN" if in_hash else b"ZSCAN", key, _bytes(cursor), b"COUNT", KEYS_A_SCAN)
            match await self._link.read(command):
                case Unreadable() as unreadable:
                    return unreadable
                case [[cursor, list(pairs)]]:
                    members.update(pairs[::2])
                case reply:
                    return Unreadable(f"CORRUPT: {reply!r}")
            if cursor == b"0":
                return members


def _told(wrong: tuple[str, ...], names: Mapping[str, str], belongs: list[str], others: list[str]) -> Iterator[str]:
    facets = [*belongs, *(f"it is wrongly under {facet}" for facet in others)]
    for name in wrong:
        yield facets[int(name) - 1] if name.isdigit() else names[name]


def _keys(match_id: str) -> MatchKeys:
    keys = keys_of(match_id)
    assert keys is not None, f"{match_id!r} was looked at before"
    return keys


def _facet_key(keys: PartitionKeys, facet: str) -> bytes:
    return keys.facets + facet.encode(ID_BYTES)


def _frozen(sets: Mapping[int, set[str]]) -> dict[int, frozenset[str]]:
    return {partition: frozenset(members) for partition, members in sets.items()}


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
