"""The ledger on Redis or Valkey. Everything is in one slot, and one script writes all that an entry changes."""

import asyncio
import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final
from uuid import uuid4

from redis.asyncio import Redis
from redis.exceptions import NoScriptError

from gammon.rating.v1 import ledger_pb2 as pb
from gammon_proofs.chain import length_prefixed
from gammon_rating.app.ports import Change, Deposed, FeedItem, Place, Standing, StoredEntry
from gammon_rating.core.fibs import NAME, Rating, rate, reverse
from gammon_rating.core.units import Ended, Unit, game_keys, unit_of

TAG: Final = "{bg1:rating}:"
OWNER, PLACES, RATED = TAG + "owner", TAG + "pos", TAG + "rated"
LEDGER, CURRENT, BOARD, LEASE = TAG + "ledger", TAG + "cur", TAG + "board:", TAG + "lease"
LEASE_MS = 3000
RENEW_S = 1.0
NS = 1_000_000_000
SCRIPT = (files("gammon_rating.adapters") / "take_in.lua").read_bytes()
SCRIPT_SHA = hashlib.sha1(SCRIPT, usedforsecurity=False).hexdigest()
ENTRY_TAG = b"bgrating/1/entry\x00"


class RedisLedger:
    """The ledger of one store. Writing needs `own`, which waits until no other service does."""

    def __init__(self, redis: "Redis") -> None:
        """`redis`: a client whose replies are bytes."""
        self._redis: Any = redis
        self._fence = b""
        self._token = uuid4().hex

    async def own(self) -> None:
        """Takes the lease as soon as it is free, and a fence above all before it."""
        while not await self._redis.set(LEASE, self._token, nx=True, px=LEASE_MS):
            await asyncio.sleep(RENEW_S / 4)
        self._fence = b"%d" % await self._redis.hincrby(OWNER, "fence", 1)

    async def keep(self) -> None:
        """Renews the lease until cancelled. Raises Deposed when it is another's; the fence then stops every write."""
        while True:
            await asyncio.sleep(RENEW_S)
            if await self._redis.get(LEASE) != self._token.encode():
                raise Deposed("the lease is another's")
            await self._redis.pexpire(LEASE, LEASE_MS)

    async def release(self) -> None:
        """Gives the lease up, so that the next service need not wait for it."""
        if await self._redis.get(LEASE) == self._token.encode():
            await self._redis.delete(LEASE)

    async def place(self, partition: int) -> Place:
        """How far a feed has been taken in."""
        stored = await self._redis.hget(PLACES, str(partition))
        if stored is None:
            return Place(0, b"")
        position, _, at_hash = stored.decode().partition(":")
        return Place(int(position), bytes.fromhex(at_hash))

    async def take_in(self, item: FeedItem, now_ns: int) -> bool:
        """Rates what an item tells and moves the place on, in one step; takes back what it corrects. Raises Deposed."""
        if item.ended.corrects_from:
            return await self._correct(item, now_ns)
        unit = unit_of(item.ended)
        pool = unit.pool if unit is not None else ""
        while True:
            answer = await self._run(await self._arguments(item, unit, now_ns), pool)
            match answer:
                case b"OK":
                    return True
                case b"SKIPPED" | b"MOVED":
                    return False
                case b"FENCED":
                    raise Deposed("another rating service owns the ledger")

    async def rating(self, pool: str, player: str) -> Standing | None:
        """A player's standing."""
        stored = await self._redis.hget(CURRENT, _field(pool, player))
        if stored is None:
            return None
        rank = await self._redis.zrevrank(BOARD + pool, player)
        return _standing(pool, player, stored, 0 if rank is None else rank + 1)

    async def leaders(self, pool: str, after: int, limit: int) -> Sequence[Standing]:
        """Standings, highest first."""
        players = await self._redis.zrevrange(BOARD + pool, after, after + limit - 1)
        if not players:
            return ()
        names = [player.decode() for player in players]
        records = await self._redis.hmget(CURRENT, [_field(pool, name) for name in names])
        return [
            _standing(pool, name, record, after + place)
            for place, (name, record) in enumerate(zip(names, records, strict=True), 1)
            if record is not None
        ]

    async def entries(self, after: int, limit: int) -> Sequence[StoredEntry]:
        """Ledger entries after a position, in order."""
        found = await self._redis.xrange(LEDGER, f"{after + 1}-0", "+", count=limit)
        return [StoredEntry(int(entry_id.partition(b"-")[0]), fields[b"b"], fields[b"h"]) for entry_id, fields in found]

    async def _arguments(self, item: FeedItem, unit: Unit | None, now_ns: int) -> list[bytes | str]:
        place = f"{item.position}:{item.hash.hex()}"
        start: list[bytes | str] = [self._fence, str(item.partition), str(item.position - 1), place]
        if unit is None:
            return [*start, "", *[""] * 15]
        position, last_hash = await self._head()
        players = (unit.winner, unit.loser)
        was = await self._records(unit.pool, players)
        before = [_rating(record) for record in was]
        after = rate(before[0], before[1], unit.length)
        change = Change(unit, (before[0], after[0]), (before[1], after[1]))
        entry = _entry(change, item, now_ns).SerializeToString(deterministic=True)
        new_hash = entry_hash(last_hash, position + 1, entry)
        arguments = [*start, unit.key, str(position), last_hash, entry, new_hash]
        for player, record, rating in zip(players, was, after, strict=True):
            arguments += _written(unit.pool, player, record, rating, 1, now_ns)
        return [*arguments, f"{position + 1}:{item.ended.sequence}"]

    async def _correct(self, item: FeedItem, now_ns: int) -> bool:
        reversed_any = False
        while True:
            newest = await self._newest_rated(item.ended)
            if newest is None:
                answer = await self._run(await self._arguments(item, None, now_ns), "")
            else:
                answer = await self._reverse(item, *newest, now_ns)
            match answer:
                case b"OK":
                    reversed_any = True
                case b"SKIPPED" | b"MOVED":
                    return reversed_any
                case b"FENCED":
                    raise Deposed("another rating service owns the ledger")

    async def _newest_rated(self, ended: Ended) -> tuple[str, int] | None:
        """The unit that was rated last of those that no longer hold: its key, and the position of its entry."""
        keys = game_keys(ended)
        found = await self._redis.hmget(RATED, keys) if keys else []
        newest: tuple[int, str] | None = None
        for key, value in zip(keys, found, strict=True):
            if value is None:
                continue
            position, _, sequence = value.partition(b":")
            if int(sequence or 0) >= ended.corrects_from:
                newest = max(newest or (0, ""), (int(position), key))
        return None if newest is None else (newest[1], newest[0])

    async def _reverse(self, item: FeedItem, key: str, place: int, now_ns: int) -> bytes:
        (stored,) = await self.entries(place - 1, 1)
        rated = pb.RatingEntry.FromString(stored.entry)
        position, last_hash = await self._head()
        players = [change.player for change in rated.rated.changes]
        was = await self._records(rated.pool, players)
        entry = _new_entry(rated.pool, item, now_ns)
        entry.reversed.position = place
        encoded = entry.SerializeToString(deterministic=True)
        new_hash = entry_hash(last_hash, position + 1, encoded)
        arguments: list[bytes | str] = [self._fence, str(item.partition), str(item.position - 1), "", key]
        arguments += [str(position), last_hash, encoded, new_hash]
        for change, record in zip(rated.rated.changes, was, strict=True):
            before = Rating(change.before, change.experience_before)
            after = Rating(change.after, change.experience_after)
            rating = reverse(_rating(record), before, after)
            arguments += _written(rated.pool, change.player, record, rating, -1, now_ns)
        return await self._run([*arguments, ""], rated.pool)

    async def _head(self) -> tuple[int, bytes]:
        head = await self._redis.hmget(OWNER, "position", "hash")
        return int(head[0] or 0), head[1] or b""

    async def _records(self, pool: str, players: Sequence[str]) -> list[bytes]:
        found = await self._redis.hmget(CURRENT, [_field(pool, player) for player in players])
        return [record or b"" for record in found]

    async def _run(self, arguments: list[bytes | str], pool: str) -> bytes:
        keys = (OWNER, PLACES, RATED, LEDGER, CURRENT, BOARD + pool)
        try:
            answer: bytes = await self._redis.evalsha(SCRIPT_SHA, len(keys), *keys, *arguments)
        except NoScriptError:
            answer = await self._redis.eval(SCRIPT, len(keys), *keys, *arguments)
        return answer


def entry_hash(previous: bytes, position: int, entry: bytes) -> bytes:
    """The ledger chain's hash of an entry: over the hash before it, its position and its bytes as stored."""
    return hashlib.sha256(ENTRY_TAG + previous + position.to_bytes(8, "big") + length_prefixed(entry)).digest()


def _field(pool: str, player: str) -> str:
    return f"{pool}|{player}"


def _rating(record: bytes) -> Rating:
    if not record:
        return Rating()
    value, experience, _rated, _changed = json.loads(record)
    return Rating(value, experience)


def _written(pool: str, player: str, before: bytes, rating: Rating, more: int, now_ns: int) -> list[bytes | str]:
    """A player's part of the script's arguments; `more`: how many units are rated now beside those before."""
    rated = (json.loads(before)[2] if before else 0) + more
    record = json.dumps([rating.value, rating.experience, rated, now_ns])
    return [_field(pool, player), before, record, repr(rating.value), player]


def _standing(pool: str, player: str, record: bytes, place: int) -> Standing:
    value, experience, rated, changed = json.loads(record)
    return Standing(player, pool, Rating(value, experience), rated, changed, place)


def _new_entry(pool: str, item: FeedItem, now_ns: int) -> pb.RatingEntry:
    entry = pb.RatingEntry(
        schema_version=1,
        pool=pool,
        formula=NAME,
        match_id=item.ended.match_id,
        match_hash=item.ended.match_hash,
        partition=item.partition,
        feed_position=item.position,
    )
    entry.record_time.seconds, entry.record_time.nanos = divmod(now_ns, NS)
    return entry


def _entry(change: Change, item: FeedItem, now_ns: int) -> pb.RatingEntry:
    unit = change.unit
    entry = _new_entry(unit.pool, item, now_ns)
    entry.rated.length, entry.rated.game_number = unit.length, unit.game_number
    for place, player, (before, after) in ((1, unit.winner, change.winner), (2, unit.loser, change.loser)):
        entry.rated.changes.add(
            player=player,
            before=before.value,
            after=after.value,
            experience_before=before.experience,
            experience_after=after.experience,
            place=place,
        )
    return entry
