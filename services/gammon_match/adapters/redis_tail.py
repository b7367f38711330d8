"""The new ends of streams and feeds on Redis or Valkey: one blocking read for many matches of a partition."""

from collections.abc import Mapping, Sequence

from gammon_match.adapters.index_rows import row_of
from gammon_match.adapters.partitions import PARTITION_KEYS, keys_of
from gammon_match.adapters.redis_link import RedisLink, packed, replies_of
from gammon_match.app.ports import StoredEvent, Unreadable
from gammon_match.app.tail import Change, FeedItem

EVENTS_A_READ = 500


class RedisTail:
    """Reads over a link of its own: a read that waits holds its connection."""

    def __init__(self, link: RedisLink) -> None:
        """`link`: with a connection for each partition that is watched or fed, and a reply timeout above the waits."""
        self._link = link

    async def newer(
        self, positions: Mapping[str, int], wait_s: float
    ) -> Mapping[str, Sequence[StoredEvent]] | Unreadable:
        """Events above the positions, by match."""
        named = {keys.events: match_id for match_id in positions if (keys := keys_of(match_id)) is not None}
        wanted = [b"%d-0" % positions[match_id] for match_id in named.values()]
        reply = await self._read(b"COUNT", EVENTS_A_READ, *_block(wait_s), b"STREAMS", *named, *wanted)
        if isinstance(reply, Unreadable):
            return reply
        by_key = {_text(key): match_id for key, match_id in named.items()}
        return {
            by_key[_text(key)]: [StoredEvent(_number(entry_id), fields[1], fields[3]) for entry_id, fields in entries]
            for key, entries in reply
        }

    async def feed(self, partition: int, after: int, limit: int, wait_s: float) -> Sequence[FeedItem] | Unreadable:
        """Feed entries above a position."""
        key = PARTITION_KEYS[partition].feed
        reply = await self._read(b"COUNT", limit, *_block(wait_s), b"STREAMS", key, b"%d-0" % after)
        if isinstance(reply, Unreadable):
            return reply
        return [FeedItem(_number(entry_id), fields[1]) for _, entries in reply for entry_id, fields in entries]

    async def changes(self, partition: int, after: int, limit: int, wait_s: float) -> Sequence[Change] | Unreadable:
        """Changes of lists above a number."""
        key = PARTITION_KEYS[partition].changes
        reply = await self._read(b"COUNT", limit, *_block(wait_s), b"STREAMS", key, b"%d-0" % after)
        if isinstance(reply, Unreadable):
            return reply
        return [_change(entry_id, fields) for _, entries in reply for entry_id, fields in entries]

    async def last_change(self, partition: int) -> int | Unreadable:
        """The number of the last change; 0: there is none."""
        command = packed(b"XREVRANGE", PARTITION_KEYS[partition].changes, b"+", b"-", b"COUNT", 1)
        found = await self._link.read(command)
        if isinstance(found, Unreadable):
            return found
        match found[0]:
            case [(bytes(entry_id), _)] | [[bytes(entry_id), _]]:
                return _number(entry_id)
            case _:
                return 0

    async def _read(
        self, *words: bytes | str | int
    ) -> list[tuple[bytes, list[tuple[bytes, list[bytes]]]]] | Unreadable:
        replies = replies_of(await self._link.exchange(packed(b"XREAD", *words)))
        match replies:
            case Unreadable():
                return replies
            case [list(found)]:
                return found
            case _:
                return []


def _change(entry_id: bytes, fields: list[bytes]) -> Change:
    match_id, row, event_hash = fields[1::2]
    return Change(_number(entry_id), row_of(match_id.decode(), row), event_hash)


def _block(wait_s: float) -> tuple[bytes | int, ...]:
    return (b"BLOCK", max(int(wait_s * 1000), 1)) if wait_s > 0 else ()


def _text(key: bytes | str) -> str:
    return key.decode() if isinstance(key, bytes) else key


def _number(entry_id: bytes) -> int:
    return int(entry_id.partition(b"-")[0])
