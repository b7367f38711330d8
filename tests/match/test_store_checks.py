"""The start-up checks: what makes a server a store, and what is refused."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import urlsplit

import pytest
from redis.asyncio import Redis
from tests.contracts.batches import batch_at, genesis, match_id
from tests.contracts.match_index import listed
from tests.contracts.redis_stores import checked, contents, opened_index, opened_store

from gammon_match.adapters.partitions import PARTITION_KEYS
from gammon_match.adapters.store_checks import StoreFault, version_findings
from gammon_match.app.index import Row
from gammon_match.app.ports import Appended, DurabilityLevel, Recorded

ACCEPTED, FSYNCED, REPLICATED = DurabilityLevel.ACCEPTED, DurabilityLevel.FSYNCED, DurabilityLevel.REPLICATED

USER = "gammon-test"
User = Callable[..., Awaitable[str]]

# Every right the match service needs, and no other.
NEEDED_COMMANDS = (
    *("+info", "+config|get", "+eval", "+evalsha", "+set", "+get", "+exists"),
    *("+hsetnx", "+hget", "+hmget", "+hset", "+hlen", "+hincrby", "+zcard", "+zadd", "+zrem", "+zrangebylex"),
    *("+xrange", "+xrevrange", "+xread", "+xlen", "+xinfo|stream", "+xadd", "+time"),
)


@pytest.fixture
async def user(clean_store: str, client: Redis) -> AsyncIterator[User]:
    """Makes a user with the rights given on the store's keys, and returns the address for it."""
    where = urlsplit(clean_store)

    async def with_rights(*rules: str) -> str:
        command = ("ACL SETUSER", USER, "reset", "on", ">secret", "~bg1:*", "~{bg1:p*", *rules)
        await client.execute_command(*command)  # type: ignore[no-untyped-call]
        return where._replace(netloc=f"{USER}:secret@{where.netloc.rpartition('@')[2]}").geturl()

    yield with_rights
    await client.acl_deluser(USER)


async def test_a_sound_server_becomes_a_store(clean_store: str, client: Redis) -> None:
    report = await checked(clean_store)
    assert report.faults == ()
    assert report.lineages == (1,) * 16
    assert await client.get("bg1:manifest") == b'{"format":1,"partitions":16}'
    for keys in PARTITION_KEYS[:16]:
        assert await client.hgetall(keys.meta) == {b"lineage": b"1", b"partitions": b"16", b"script": b"1"}
    before = await contents(client)
    assert len(before) == 17
    assert await checked(clean_store) == report
    assert await contents(client) == before


async def test_raised_lineages_are_taken_over(clean_store: str, client: Redis) -> None:
    await checked(clean_store)
    await client.hset(PARTITION_KEYS[3].meta, "lineage", "7")
    assert (await checked(clean_store)).lineages == (1, 1, 1, 7, *(1,) * 12)


async def test_another_number_of_partitions_is_refused(clean_store: str, client: Redis) -> None:
    await checked(clean_store)
    before = await contents(client)
    report = await checked(clean_store, partitions=32)
    assert report.faults == (
        StoreFault(
            "manifest",
            '{"format":1,"partitions":16}',
            'this service is set up for {"format":1,"partitions":32}',
        ),
    )
    assert report.lineages == ()
    assert await contents(client) == before


@pytest.mark.parametrize("manifest", ["", "text", '{"format":2,"partitions":16}', "[]"])
async def test_a_manifest_of_another_format_is_refused(clean_store: str, client: Redis, manifest: str) -> None:
    await client.set("bg1:manifest", manifest)
    [fault] = (await checked(clean_store)).faults
    assert (fault.name, fault.found) == ("manifest", manifest)
    assert list(await contents(client)) == [b"bg1:manifest"]


async def test_of_services_that_start_at_once_one_decides(clean_store: str, client: Redis) -> None:
    counts = [8, 16, 32, 64] * 4
    reports = await asyncio.gather(*(checked(clean_store, partitions=count) for count in counts))
    opened = {count for count, report in zip(counts, reports, strict=True) if not report.faults}
    assert len(opened) == 1
    [winner] = opened
    assert await client.get("bg1:manifest") == b'{"format":1,"partitions":%d}' % winner
    for count, report in zip(counts, reports, strict=True):
        assert [fault.name for fault in report.faults] == ([] if count == winner else ["manifest"])


@pytest.mark.parametrize(("field", "value"), [("script", "2"), ("partitions", "32"), ("lineage", "x")])
async def test_a_partition_written_by_another_format_is_refused(
    clean_store: str, client: Redis, field: str, value: str
) -> None:
    await checked(clean_store)
    await client.hset(PARTITION_KEYS[5].meta, field, value)
    report = await checked(clean_store)
    assert [fault.name for fault in report.faults] == ["partition 5"]
    assert report.lineages == ()


@pytest.mark.parametrize("partitions", [0, 129])
async def test_partitions_out_of_bounds_are_refused(clean_store: str, client: Redis, partitions: int) -> None:
    report = await checked(clean_store, partitions=partitions)
    assert report.faults == (StoreFault("partitions", str(partitions), "1 to 128 are allowed"),)
    assert await contents(client) == {}


async def test_a_floor_that_is_not_offered_yet_is_refused(clean_store: str, client: Redis) -> None:
    [fault] = (await checked(clean_store, REPLICATED)).faults
    assert (fault.name, fault.found) == ("floor", "REPLICATED")
    assert await contents(client) == {}


async def test_nobody_there_is_a_fault(unused_tcp_port: int) -> None:
    [fault] = (await checked(f"redis://127.0.0.1:{unused_tcp_port}")).faults
    assert fault.name == "unreachable"
    assert fault.found.startswith("UNREACHED: ConnectionError ")


async def test_another_kind_of_server_is_a_fault() -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        [fault] = (await checked(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}")).faults
    assert fault.name == "unreachable"


async def test_matches_that_the_index_lacks_are_a_warning(clean_store: str, client: Redis) -> None:
    async with opened_store(clean_store) as store:
        for number in range(3):
            of = match_id(number)
            batch = batch_at(genesis(of), of, b"a")
            await store.append(batch if number else listed(batch, b"row", "open"), ACCEPTED)
    [warning] = (await checked(clean_store)).warnings
    assert (warning.name, warning.found) == ("index", "1 of 3 matches")
    await client.set(PARTITION_KEYS[3].rows, "text")
    [warning] = (await checked(clean_store)).warnings
    assert (warning.name, warning.found[:9]) == ("index", "WRONGTYPE")


async def test_a_wrong_password_is_a_fault(user: User) -> None:
    url = await user("+@all")
    [fault] = (await checked(url.replace("secret", "guess"))).faults
    assert fault.name == "unreachable"
    assert "invalid username-password" in fault.found


async def test_the_rights_that_are_needed_are_enough(user: User, client: Redis) -> None:
    url = await user("-@all", *NEEDED_COMMANDS)
    report = await checked(url)
    assert report.faults == ()
    of = match_id(1)
    batch = listed(batch_at(genesis(of), of, b"a", feed_entry=b"f"), b"row", "open", gone=("status:1",))
    async with opened_store(url) as store:
        assert await store.append(batch, ACCEPTED) == Appended(report.offered)
        await client.script_flush()
        assert await store.append(batch, ACCEPTED) == Appended(report.offered, duplicate=True)
        assert await store.read(of) == Recorded(batch.events, batch.head)
    async with opened_index(url) as index:
        assert await index.page(3, ("open",), "", 5) == [Row(of, 1, b"row")]
        assert await index.heads([of]) == {of: batch.head}


@pytest.mark.parametrize("right", [right for right in NEEDED_COMMANDS if not right.startswith("+config")])
async def test_each_right_that_is_missing_is_a_fault_at_start(user: User, client: Redis, right: str) -> None:
    missing = right.removeprefix("+").partition("|")[0]
    url = await user("-@all", *(other for other in NEEDED_COMMANDS if other != right))
    [fault] = (await checked(url)).faults
    match missing:
        case "info" | "eval":
            assert fault.name == ("info" if missing == "info" else "refused")
            assert f"'{missing}' command" in fault.found
        case _:
            assert (fault.name, fault.found) == ("rights", missing)
    assert await contents(client) == {}


async def test_keys_out_of_reach_are_a_fault_at_start(user: User, client: Redis) -> None:
    url = await user("resetkeys", "~bg1:*", "+@all")
    [fault] = (await checked(url)).faults
    assert fault.name == "refused"
    assert fault.found.startswith("NOPERM: ")
    assert await contents(client) == {}


async def test_without_the_right_to_read_settings_no_level_is_promised(user: User) -> None:
    url = await user("+@all", "-config")
    report = await checked(url)
    assert (report.faults, report.offered) == ((), ACCEPTED)
    [fault] = (await checked(url, FSYNCED)).faults
    assert fault.name == "appendfsync"
    assert fault.found.startswith("NOPERM: ")
    assert fault.needed == "to promise FSYNCED the user needs the right to CONFIG GET"


@pytest.mark.parametrize(
    ("version", "valkey", "outcome"),
    [
        ("6.2.14", False, "refused"),
        ("7.0.15", False, "warned"),
        ("7.2.0", False, "fine"),
        ("7.4.6", False, "fine"),
        ("8.2.2", False, "fine"),
        ("10.0.1", False, "fine"),
        ("7.2.5", True, "warned"),
        ("8.0.1", True, "warned"),
        ("8.1.0", True, "fine"),
        ("9.1.2", True, "fine"),
        ("", False, "refused"),
        ("255.255.255", False, "fine"),
    ],
)
def test_old_servers_are_warned_of_or_refused(version: str, valkey: bool, outcome: str) -> None:
    faults, warnings = version_findings(version, valkey=valkey)
    assert ("refused" if faults else "warned" if warnings else "fine") == outcome
