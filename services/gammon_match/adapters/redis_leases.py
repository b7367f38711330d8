"""Leases of the partitions and the store's time, on Redis or Valkey."""

from collections.abc import Mapping, Sequence
from typing import Final

from gammon_match.adapters.partitions import PARTITION_KEYS, TIMING_KEY
from gammon_match.adapters.redis_link import RedisLink, packed, replies_of
from gammon_match.app.ports import Unreadable
from gammon_match.app.tenure import Holdings

# One key a script, so that a cluster may run each where its partition is.
_ENLIST: Final = b"""#!lua
local at = redis.call('TIME')
local now = at[1] * 1000 + math.floor(at[2] / 1000)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
return redis.call('ZCARD', KEYS[1])
"""
_TAKE: Final = b"""#!lua
local holder = redis.call('GET', KEYS[1])
if not holder or holder == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return ARGV[1]
end
return holder
"""
_RELEASE: Final = b"""#!lua
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
"""
NS_A_MS: Final = 1_000_000


class RedisLeases:
    """One lease a partition, held by the name of a process, and the list of the processes that share them."""

    def __init__(self, link: RedisLink, partitions: int) -> None:
        """`partitions`: of the store."""
        self._link = link
        self._keys = [keys.timed_by for keys in PARTITION_KEYS[:partitions]]

    async def enlist(self, holder: str, lease_ns: int) -> Holdings | Unreadable:
        """Counts a process among those that share, and says who holds what."""
        commands = [packed(b"EVAL", _ENLIST, b"1", TIMING_KEY, holder, lease_ns // NS_A_MS)]
        commands += [packed(b"GET", key) for key in self._keys]
        replies = await self._ask(commands)
        if isinstance(replies, Unreadable):
            return replies
        match replies:
            case [int() as processes, *holders]:
                return Holdings(processes, {number: _name(reply) for number, reply in enumerate(holders)})
            case _:
                return Unreadable(f"REPLY: {replies!r}")

    async def take(self, holder: str, lease_ns: int, partitions: Sequence[int]) -> Mapping[int, str] | Unreadable:
        """Takes or renews those that nobody else holds, and says who holds each of them now."""
        milliseconds = lease_ns // NS_A_MS
        replies = await self._ask(
            [packed(b"EVAL", _TAKE, b"1", self._keys[number], holder, milliseconds) for number in partitions]
        )
        if isinstance(replies, Unreadable):
            return replies
        return {number: _name(reply) for number, reply in zip(partitions, replies, strict=True)}

    async def release(self, holder: str, partitions: Sequence[int]) -> None:
        """Gives back those that are held; what cannot be given back ends by itself."""
        await self._ask([packed(b"EVAL", _RELEASE, b"1", self._keys[number], holder) for number in partitions])

    async def _ask(self, commands: Sequence[bytes]) -> Sequence[object] | Unreadable:
        if not commands:
            return ()
        return replies_of(await self._link.exchange(b"".join(commands), len(commands)))


def _name(reply: object) -> str:
    return reply.decode() if isinstance(reply, bytes) else ""


class RedisTime:
    """The time of the server."""

    def __init__(self, link: RedisLink) -> None:
        """Asks over this link."""
        self._link = link

    async def now_ns(self) -> int | Unreadable:
        """Nanoseconds since the epoch, in whole microseconds."""
        replies = replies_of(await self._link.exchange(packed(b"TIME")))
        if isinstance(replies, Unreadable):
            return replies
        match replies:
            case [[bytes(seconds), bytes(microseconds)]]:
                return (int(seconds) * 1_000_000 + int(microseconds)) * 1_000
            case _:
                return Unreadable(f"REPLY: {replies[0]!r}")
