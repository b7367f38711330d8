"""The index of matches on Redis or Valkey: by partition, rows in a hash, and ids in sorted sets, in their order."""

from collections.abc import Mapping, Sequence
from typing import Final

from gammon_match.adapters.index_rows import row_of
from gammon_match.adapters.partitions import PARTITION_KEYS, MatchKeys, keys_of
from gammon_match.adapters.redis_link import RedisLink, packed
from gammon_match.adapters.redis_script import RedisScript
from gammon_match.app.index import Row
from gammon_match.app.ports import Head, Unreadable
from gammon_match.core.listing import TIMED

# Ids are ASCII. What else somebody may have put among them keeps its place in the order this way.
PAGE: Final = 500
ID_BYTES: Final = "latin-1"
_PAGE: Final = RedisScript("index_page.lua")


class RedisMatchIndex:
    """What the append script writes beside the events (see `append.lua`)."""

    def __init__(self, link: RedisLink) -> None:
        """`link`: to the server of the events."""
        self._link = link

    async def page(self, partition: int, facets: Sequence[str], after: str, limit: int) -> Sequence[Row] | Unreadable:
        """Rows above an id, of the facet with the fewest matches; without facets of all matches."""
        keys = PARTITION_KEYS[partition]
        sets = tuple(map(keys.facet, facets)) or (keys.matches,)
        match await _PAGE.run(self._link, (keys.rows, *sets), after.encode(ID_BYTES), limit):
            case Unreadable() as unreadable:
                return unreadable
            case [list(ids), list(rows)]:
                return [row_of(match_id.decode(ID_BYTES), row) for match_id, row in zip(ids, rows, strict=True)]
            case _:
                return Unreadable(f"CORRUPT: the index of partition {partition} is malformed")

    async def timed_matches(self, partition: int) -> Sequence[str] | Unreadable:
        """The ids of the matches in play that time, or their players' preferences, do something to."""
        timed: list[str] = []
        while True:
            page = await self.page(partition, (TIMED,), timed[-1] if timed else "", PAGE)
            if isinstance(page, Unreadable):
                return page
            timed += [row.match_id for row in page]
            if len(page) < PAGE:
                return timed

    async def rows(self, match_ids: Sequence[str]) -> Sequence[Row] | Unreadable:
        """The rows of matches, in their order."""
        commands = [packed(b"HGET", _keys(of).partition.rows, of) for of in match_ids]
        found = await self._link.read(b"".join(commands), len(commands))
        if isinstance(found, Unreadable):
            return found
        return [row_of(of, row if isinstance(row, bytes) else None) for of, row in zip(match_ids, found, strict=True)]

    async def heads(self, match_ids: Sequence[str]) -> Mapping[str, Head] | Unreadable:
        """The heads of those of the matches that there are."""
        commands = [packed(b"HMGET", _keys(of).head, b"seq", b"hash") for of in match_ids]
        found = await self._link.read(b"".join(commands), len(commands))
        if isinstance(found, Unreadable):
            return found
        heads = {}
        for of, record in zip(match_ids, found, strict=True):
            match record:
                case [bytes(sequence), bytes(at_hash)] if sequence.isdigit():
                    heads[of] = Head(int(sequence), at_hash)
        return heads


def _keys(match_id: str) -> MatchKeys:
    keys = keys_of(match_id)
    assert keys is not None, f"{match_id!r} came from the index"
    return keys
