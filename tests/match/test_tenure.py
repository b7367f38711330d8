"""Who times what: leases in memory and on a real store, and how the processes share them as they come and go."""

import asyncio
from collections.abc import AsyncIterator
from itertools import count

import pytest
from tests.contracts.redis_stores import opened_leases
from tests.match.leases import MemoryLeases
from tests.match.set_time import SetStopwatch

from gammon_match.app.tenure import Holdings, LeasedTenure, Leases, share

PARTITIONS = 16
LONG = 60_000_000_000


def match_in(partition: int) -> str:
    return f"m_{partition:03d}_X"


def partition_of(match_id: str) -> int | None:
    return int(match_id[2:5])


@pytest.fixture(params=["memory", "store"])
async def leases(request: pytest.FixtureRequest) -> AsyncIterator[Leases]:
    if request.param == "memory":
        yield MemoryLeases(PARTITIONS, SetStopwatch())
        return
    async with opened_leases(request.getfixturevalue("clean_store"), PARTITIONS) as opened:
        yield opened


async def test_what_is_free_is_taken_and_what_is_held_stays(leases: Leases) -> None:
    nobody = dict.fromkeys(range(PARTITIONS), "")
    assert await leases.enlist("a", LONG) == Holdings(1, nobody)
    assert await leases.take("a", LONG, (3, 5)) == {3: "a", 5: "a"}
    assert await leases.enlist("b", LONG) == Holdings(2, nobody | {3: "a", 5: "a"})
    assert await leases.take("b", LONG, (5, 6)) == {5: "a", 6: "b"}
    await leases.release("b", (5, 6))
    assert await leases.enlist("b", 0) == Holdings(1, nobody | {3: "a", 5: "a"})
    assert await leases.take("a", LONG, ()) == {}


async def test_leases_end_by_themselves_on_a_store(clean_store: str) -> None:
    async with opened_leases(clean_store, PARTITIONS) as leases:
        await leases.enlist("a", 50_000_000)
        await leases.take("a", 50_000_000, (0,))
        async with asyncio.timeout(10):
            while await leases.enlist("b", LONG) != Holdings(1, dict.fromkeys(range(PARTITIONS), "")):
                await asyncio.sleep(0.01)


class Processes:
    """Some processes on one store, each of which renews once in a round."""

    def __init__(self) -> None:
        self.clock = SetStopwatch()
        self.leases = MemoryLeases(PARTITIONS, self.clock)
        self.alive: list[LeasedTenure] = []
        self.gained: list[tuple[str, int]] = []
        self.left: list[tuple[str, int]] = []
        self._numbers = count(1)

    def start(self) -> LeasedTenure:
        name = f"p{next(self._numbers)}"
        tenure = LeasedTenure(self.leases, f"{name}@{name}:7000", partition_of, self.clock)
        tenure.on_gain = lambda partition: self.gained.append((name, partition))
        tenure.on_elsewhere = lambda partition: self.left.append((name, partition))
        self.alive.append(tenure)
        return tenure

    async def rounds(self, rounds: int) -> None:
        for _ in range(rounds):
            for tenure in self.alive:
                await tenure.renew()
                self.check()
            self.clock.pass_s(1)

    def check(self) -> None:
        """Never do two processes time the same."""
        for partition in range(PARTITIONS):
            assert sum(tenure.term(match_in(partition)) is not None for tenure in self.alive) <= 1

    def counts(self) -> list[int]:
        return [len(self.held(tenure)) for tenure in self.alive]

    def held(self, tenure: LeasedTenure) -> set[int]:
        return {number for number in range(PARTITIONS) if tenure.term(match_in(number)) is not None}


async def test_processes_share_evenly_as_they_come_and_go() -> None:
    at = Processes()
    first = at.start()
    await at.rounds(1)
    assert at.counts() == [16]
    before = at.held(first)
    second = at.start()
    await at.rounds(2)
    assert at.counts() == [8, 8]
    assert at.held(first) < before
    at.start()
    await at.rounds(3)
    assert sorted(at.counts()) == [4, 6, 6]
    at.alive.remove(second)
    await at.rounds(8)
    assert at.counts() == [8, 8]
    at.alive.remove(first)
    await at.rounds(8)
    assert at.counts() == [16]


async def test_what_is_given_up_is_known_elsewhere_with_name_and_address() -> None:
    at = Processes()
    first, second = at.start(), at.start()
    await at.rounds(3)
    [own, *_], [other, *_] = at.held(first), at.held(second)
    assert (first.holder(match_in(own)), first.address(match_in(own)), first.measured_by(match_in(own))) == ("", "", "")
    assert (first.holder(match_in(other)), first.address(match_in(other))) == ("p2", "p2:7000")
    assert first.measured_by(match_in(other)) == "p2"
    assert {partition for name, partition in at.left if name == "p1"} == at.held(second)
    # When it started, the first held them all.
    assert {partition for name, partition in at.left if name == "p2"} == set(range(PARTITIONS))


async def test_a_process_that_says_not_where_it_is_cannot_be_reached() -> None:
    at = Processes()
    first = at.start()
    await at.rounds(1)
    silent = LeasedTenure(at.leases, "silent", partition_of, at.clock)
    at.alive.append(silent)
    await at.rounds(3)
    [theirs, *_] = at.held(silent)
    assert (first.holder(match_in(theirs)), first.address(match_in(theirs))) == ("silent", "")
    assert first.measured_by(match_in(theirs)) == ""


async def test_a_term_begins_with_each_gain_and_ends_where_the_store_does_not_answer() -> None:
    at = Processes()
    only = at.start()
    await at.rounds(4)
    assert at.gained == [("p1", partition) for partition in range(PARTITIONS)]
    assert only.term(match_in(0)) == 1
    at.leases.away = True
    await at.rounds(5)
    assert at.counts() == [0]
    at.leases.away = False
    await at.rounds(1)
    assert only.term(match_in(0)) == 2
    assert len(at.gained) == 2 * PARTITIONS


async def test_a_process_that_ends_gives_all_back_and_is_no_longer_counted() -> None:
    at = Processes()
    first, second = at.start(), at.start()
    await at.rounds(3)
    running = asyncio.create_task(second.run())
    await asyncio.sleep(0)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    at.alive.remove(second)
    await at.rounds(1)
    assert at.counts() == [16]
    assert first.holder(match_in(15)) == ""


@pytest.mark.parametrize("processes", [1, 2, 3, 5, 16, 40])
def test_nobody_takes_more_than_an_even_share(processes: int) -> None:
    most = -(-PARTITIONS // processes)
    free = dict.fromkeys(range(PARTITIONS), "")
    assert share("me", Holdings(processes, free)) == (tuple(range(most)), [])
    mine = dict.fromkeys(range(PARTITIONS), "me")
    assert share("me", Holdings(processes, mine)) == (tuple(range(most)), list(range(most, PARTITIONS)))
    others = dict.fromkeys(range(PARTITIONS), "another")
    assert share("me", Holdings(processes, others)) == ((), [])
