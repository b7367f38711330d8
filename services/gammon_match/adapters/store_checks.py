"""What is looked at before a match service works on a Redis or Valkey server, and what a new store is given.

A store that forgets (eviction), or cannot hold the durability that is promised, is refused at start and not
discovered later (event store 7.14). A refused server is not written to.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from gammon_match.adapters.append_script import SCRIPT_FORMAT, SCRIPT_SHA
from gammon_match.adapters.partitions import MANIFEST_KEY, MAX_PARTITIONS, PARTITION_KEYS, keys_of
from gammon_match.adapters.redis_link import READ_LEVEL, RedisLink, Replied, error_text, level_of, packed
from gammon_match.app.ports import DurabilityLevel

STORE_FORMAT: Final = 1

_INFO: Final = b"".join(packed(b"INFO", part) for part in (b"server", b"memory", b"persistence", b"replication"))

# Asks the server which of the store's commands this user may not run. A right that is missing only in the
# middle of the append script would leave half of an append behind.
_MISSING_RIGHTS: Final = b"""#!lua flags=no-writes
local e, h, feed, meta, matches, rows, changes = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local missing, named = {}, {}
for _, command in ipairs({
  {'EVALSHA', ARGV[1], '1', e}, {'HGET', meta, 'lineage'}, {'HMGET', h, 'seq', 'hash', 'st'}, {'EXISTS', e},
  {'EXISTS', feed}, {'ZCARD', matches}, {'XRANGE', e, '-', '+'}, {'XREVRANGE', e, '+', '-'}, {'XLEN', e},
  {'XINFO', 'STREAM', feed}, {'XADD', e, '1-0', 'b', ''}, {'XADD', feed, '1-0', 'b', ''},
  {'ZADD', matches, '0', ''}, {'HSET', h, 'seq', '1'}, {'HINCRBY', h, 'dup', '1'},
  {'ZRANGEBYLEX', matches, '-', '+'}, {'ZREM', matches, ''}, {'HLEN', rows}, {'XADD', changes, '1-0', 'm', ''},
  {'XREAD', 'STREAMS', changes, '0'}, {'TIME'},
  {'SET', ARGV[2], '', 'NX'}, {'GET', ARGV[2]}, {'HSETNX', meta, 'lineage', '1'},
}) do
  local name = string.lower(command[1])
  if not named[name] and not redis.acl_check_cmd(unpack(command)) then
    named[name] = true
    missing[#missing + 1] = name
  end
end
return table.concat(missing, ' ')
"""


@dataclass(frozen=True, slots=True)
class StoreFault:
    """One thing wrong with a store: a fixed name, what was found, and what is needed instead."""

    name: str
    found: str
    needed: str

    def __str__(self) -> str:
        """One line for people."""
        return f"{self.name}: found {self.found}; {self.needed}"


@dataclass(frozen=True, slots=True)
class StoreReport:
    """The outcome of the checks. With a fault the store must not be used; `lineages` are then empty."""

    faults: tuple[StoreFault, ...] = ()
    warnings: tuple[StoreFault, ...] = ()
    offered: DurabilityLevel = DurabilityLevel.ACCEPTED
    server: str = ""
    lineages: tuple[int, ...] = ()


async def check_store(link: RedisLink, partitions: int, floor: DurabilityLevel) -> StoreReport:
    """Checks the server behind `link` for a store of `partitions` that promises at least `floor`.

    A sound server without a store becomes one: manifest, and lineage 1 in each partition.
    """
    if not 1 <= partitions <= MAX_PARTITIONS:
        return StoreReport((StoreFault("partitions", str(partitions), f"1 to {MAX_PARTITIONS} are allowed"),))
    seen = await _look_at_server(link)
    if isinstance(seen, StoreFault):
        return StoreReport((seen,))
    too_old, warnings = version_findings(seen.version, valkey=seen.is_valkey)
    faults = (*too_old, *_eviction(seen), *_role(seen), *_durability(seen, floor))
    if not faults:
        faults = await _missing_rights(link)
    lineages: tuple[int, ...] = ()
    if not faults:
        faults = await _claim_manifest(link, partitions)
    if not faults:
        lineages, faults = await _open_partitions(link, partitions)
    if not faults:
        warnings = (*warnings, *await _unindexed(link, partitions))
    return StoreReport(faults, (*warnings, *_soft_durability(seen)), seen.offered, seen.name_and_version, lineages)


@dataclass(frozen=True, slots=True)
class _Server:
    info: Mapping[str, str]
    append_settings: object

    @property
    def offered(self) -> DurabilityLevel:
        return level_of(self.append_settings)

    @property
    def is_valkey(self) -> bool:
        return "valkey_version" in self.info

    @property
    def version(self) -> str:
        return self.info["valkey_version"] if self.is_valkey else self.info.get("redis_version", "0")

    @property
    def name_and_version(self) -> str:
        return f"{'Valkey' if self.is_valkey else 'Redis'} {self.version}"


async def _look_at_server(link: RedisLink) -> _Server | StoreFault:
    outcome = await link.exchange(_INFO + READ_LEVEL, 5)
    if not isinstance(outcome, Replied):
        return StoreFault("unreachable", outcome.cause, "a server that answers is needed")
    *parts, append_settings = outcome.replies
    info: dict[str, str] = {}
    for part in parts:
        if not isinstance(part, bytes):
            return StoreFault("info", str(part), "the user needs the right to INFO")
        for line in part.decode(errors="replace").splitlines():
            name, colon, value = line.partition(":")
            if colon:
                info[name] = value
    return _Server(info, append_settings)


def version_findings(version: str, *, valkey: bool) -> tuple[tuple[StoreFault, ...], tuple[StoreFault, ...]]:
    """Faults and warnings: below Redis 7.0 or Valkey 7.2 a fault, below Redis 7.2 or Valkey 8.1 a warning."""
    major, minor = (int(number) if number.isdigit() else 0 for number in [*version.split("."), "0"][:2])
    least, fine = ((7, 2), (8, 1)) if valkey else ((7, 0), (7, 2))
    finding = StoreFault(
        "version",
        f"{'Valkey' if valkey else 'Redis'} {version}",
        "Redis 7.2 or Valkey 8.1 or later is needed",
    )
    if (major, minor) < least:
        return (finding,), ()
    return (), () if (major, minor) >= fine else (finding,)


def _eviction(server: _Server) -> Iterator[StoreFault]:
    policy = server.info.get("maxmemory_policy", "unknown")
    if policy != "noeviction":
        yield StoreFault("maxmemory-policy", policy, "noeviction is needed, or full memory deletes matches")


def _role(server: _Server) -> Iterator[StoreFault]:
    role = server.info.get("role", "unknown")
    if role != "master":
        yield StoreFault("role", role, "a primary is needed")


def _durability(server: _Server, floor: DurabilityLevel) -> Iterator[StoreFault]:
    if floor.value > DurabilityLevel.FSYNCED.value:
        yield StoreFault("floor", floor.name, "ACCEPTED or FSYNCED; higher levels are not offered yet")
    elif floor.value > server.offered.value:
        if isinstance(server.append_settings, Exception):
            yield StoreFault(
                "appendfsync",
                error_text(server.append_settings),
                f"to promise {floor.name} the user needs the right to CONFIG GET",
            )
        else:
            yield StoreFault(
                "appendfsync",
                _append_settings(server),
                f"appendonly yes and appendfsync always are needed to promise {floor.name}",
            )


def _soft_durability(server: _Server) -> Iterator[StoreFault]:
    if server.info.get("aof_enabled") != "1":
        yield StoreFault("appendonly", "no", "without it a restart of the server loses matches")


def _append_settings(server: _Server) -> str:
    if not isinstance(server.append_settings, list):
        return str(server.append_settings)
    texts = [text.decode() for text in server.append_settings]
    settings = dict(zip(texts[::2], texts[1::2], strict=True))
    return f"appendonly {settings.get('appendonly')}, appendfsync {settings.get('appendfsync')}"


async def _missing_rights(link: RedisLink) -> tuple[StoreFault, ...]:
    keys = keys_of("m_000_0")
    assert keys is not None
    of = keys.partition
    names = (keys.events, keys.head, of.feed, of.meta, of.matches, of.rows, of.changes)
    reply = await _ask(link, packed(b"EVAL", _MISSING_RIGHTS, len(names), *names, SCRIPT_SHA, MANIFEST_KEY), 1)
    if isinstance(reply, StoreFault):
        return (reply,)
    [missing] = reply
    if missing == b"":
        return ()
    found = missing.decode() if isinstance(missing, bytes) else f"{missing}"
    return (StoreFault("rights", found, "the user needs these commands on the store's keys"),)


async def _claim_manifest(link: RedisLink, partitions: int) -> tuple[StoreFault, ...]:
    """Writes the manifest of a new store; of services that start at once, the first one's counts for all."""
    ours = json.dumps({"format": STORE_FORMAT, "partitions": partitions}, separators=(",", ":"))
    commands = packed(b"SET", MANIFEST_KEY, ours, b"NX") + packed(b"GET", MANIFEST_KEY)
    reply = await _ask(link, commands, 2)
    if isinstance(reply, StoreFault):
        return (reply,)
    manifest = reply[1]
    if isinstance(manifest, bytes) and _same_json(manifest, ours):
        return ()
    found = manifest.decode(errors="replace") if isinstance(manifest, bytes) else f"{manifest}"
    return (StoreFault("manifest", found, f"this service is set up for {ours}"),)


def _same_json(one: bytes, other: str) -> bool:
    try:
        same: bool = json.loads(one) == json.loads(other)
    except ValueError:
        return False
    return same


async def _open_partitions(link: RedisLink, partitions: int) -> tuple[tuple[int, ...], tuple[StoreFault, ...]]:
    """Gives each new partition its record; returns the lineages of all, or a record that does not fit."""
    lineages: list[int] = []
    for partition, keys in enumerate(PARTITION_KEYS[:partitions]):
        new = (b"lineage", 1), (b"partitions", partitions), (b"script", SCRIPT_FORMAT)
        commands = b"".join(packed(b"HSETNX", keys.meta, field, value) for field, value in new)
        commands += packed(b"HMGET", keys.meta, b"lineage", b"partitions", b"script")
        reply = await _ask(link, commands, 4)
        if isinstance(reply, StoreFault):
            return (), (reply,)
        match reply[3]:
            case [bytes(lineage), bytes(count), bytes(script)] if (
                lineage.isdigit() and count == b"%d" % partitions and script == b"%d" % SCRIPT_FORMAT
            ):
                lineages.append(int(lineage))
            case record:
                needed = f"a lineage, {partitions} partitions and script {SCRIPT_FORMAT} are needed"
                return (), (StoreFault(f"partition {partition}", repr(record), needed),)
    return tuple(lineages), ()


async def _unindexed(link: RedisLink, partitions: int) -> tuple[StoreFault, ...]:
    """A warning where the index has fewer rows than there are matches: as a version before the index leaves a store."""
    counted = b"".join(
        packed(b"ZCARD", keys.matches) + packed(b"HLEN", keys.rows) for keys in PARTITION_KEYS[:partitions]
    )
    reply = await _ask(link, counted, 2 * partitions)
    if isinstance(reply, StoreFault):
        return (StoreFault("index", reply.found, "`gammon index rebuild` makes it right"),)
    matches, rows = (sum(count for count in reply[part::2] if isinstance(count, int)) for part in (0, 1))
    if rows >= matches:
        return ()
    return (StoreFault("index", f"{rows} of {matches} matches", "`gammon index rebuild` lists the others as well"),)


async def _ask(link: RedisLink, commands: bytes, replies: int) -> list[object] | StoreFault:
    """Replies to commands that may be sent twice, or the first error among them as a fault."""
    outcome = await link.exchange(commands, replies)
    if not isinstance(outcome, Replied):
        return StoreFault("unreachable", outcome.cause, "a server that answers is needed")
    for reply in outcome.replies:
        if isinstance(reply, Exception):
            return StoreFault("refused", error_text(reply), "the start-up commands must be allowed")
    return list(outcome.replies)
