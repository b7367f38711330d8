"""Leases of the partitions and the store's time, on Redis or Valkey."""

from collections.abc import Mapping
from typing import Final

from gammon_match.adapters.partitions import PARTITION_KEYS
from gammon_match.adapters.redis_link import RedisLink, Replied, error_text, packed
from gammon_match.app.ports import Unreadable

# One key a script, so that a cluster may run each where its partition is.
_RENEW: Final = b"""#!lua
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
    """One lease a partition, held by the name of a process."""

    def __init__(self, link: RedisLink, partitions: int) -> None:
        """`partitions`: of the store."""
        self._link = link
        self._keys = [keys.timed_by for keys in PARTITION_KEYS[:partitions]]

    async def renew(self, holder: str, lease_ns: int) -> Mapping[int, str] | Unreadable:
        """Who holds each partition once what is free was taken."""
        milliseconds = lease_ns // NS_A_MS
        commands = [packed(b"EVAL", _RENEW, b"1", key, holder, milliseconds) for key in self._keys]
        outcome = await self._link.exchange(b"".join(commands), len(commands))
        if not isinstance(outcome, Replied):
            return Unreadable(outcome.cause)
        holders: dict[int, str] = {}
        for partition, reply in enumerate(outcome.replies):
            if not isinstance(reply, bytes):
                return Unreadable(error_text(reply) if isinstance(reply, Exception) else f"REPLY: {reply!r}")
            holders[partition] = reply.decode()
        return holders

    async def release(self, holder: str) -> None:
        """Gives back what is held; what cannot be given back ends by itself."""
        commands = [packed(b"EVAL", _RELEASE, b"1", key, holder) for key in self._keys]
        await self._link.exchange(b"".join(commands), len(commands))


class RedisTime:
    """The time of the server."""

    def __init__(self, link: RedisLink) -> None:
        """Asks over this link."""
        self._link = link

    async def now_ns(self) -> int | Unreadable:
        """Nanoseconds since the epoch, in whole microseconds."""
        outcome = await self._link.exchange(packed(b"TIME"))
        if not isinstance(outcome, Replied):
            return Unreadable(outcome.cause)
        match outcome.replies[0]:
            case [bytes(seconds), bytes(microseconds)]:
                return (int(seconds) * 1_000_000 + int(microseconds)) * 1_000
            case other:
                return Unreadable(error_text(other) if isinstance(other, Exception) else f"REPLY: {other!r}")
