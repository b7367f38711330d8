"""A match that was read from a checkpoint on is the match that its whole log gives, and goes on and answers like it."""

import copy
from dataclasses import dataclass, field, fields
from random import Random

import pytest
from tests.match.in_process import Desk
from tests.match.random_table import KINDS, RandomTable

from gammon_match.adapters.checkpoint_codec import checkpoint_bytes, checkpoint_from
from gammon_match.adapters.codec import ProtobufCodec
from gammon_match.adapters.memory_checkpoints import MemoryCheckpoints
from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app.checkpoints import Checkpointing, checkpoint_of, resumed
from gammon_match.app.live_match import LiveMatch, take_in
from gammon_match.app.ports import StoredEvent
from gammon_match.core.events import Status
from gammon_match.core.match import Match
from gammon_match.core.table import EMPTY_TABLE, Table

CODEC = ProtobufCodec()
# What of a live match is not what its events amount to, but what this process happens to know of them.
OF_THE_PROCESS = {"lock", "spans", "checkpointed"}


def amounts_to(live: LiveMatch) -> dict[str, object]:
    """All that is to be the same however a match was read."""
    kept = {each.name: getattr(live, each.name) for each in fields(live) if each.name not in OF_THE_PROCESS}
    return kept | {"last": live.spans.last}


def folded(match_id: str, events: tuple[StoredEvent, ...]) -> LiveMatch:
    """The match that a whole log gives."""
    live = LiveMatch(match_id)
    assert take_in(live, events, CODEC) is None
    return live


async def played(kind: str, seed: int, steps: int, store: MemoryEventStore, desk: Desk) -> RandomTable:
    """A match of a kind on which so many things were done."""
    live = await desk.match(*KINDS[kind])
    table = RandomTable(live.match_id, Random(seed))
    for _ in range(steps):
        if live.match.status is Status.CLOSED:
            break
        await table.step(desk)
    return table


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", KINDS)
async def test_from_every_batch_end_on_it_is_the_same_match(kind: str, seed: int) -> None:
    store = MemoryEventStore()
    table = await played(kind, seed, 120, store, Desk(store, seed=seed))
    recorded = await store.read(table.match_id)
    events = tuple(recorded.events)
    whole = folded(table.match_id, events)
    assert len(whole.spans.known) > 30
    for span in whole.spans.known[1:]:
        then = folded(table.match_id, events[: span.last])
        checkpoint = checkpoint_from(checkpoint_bytes(checkpoint_of(then)))
        assert checkpoint is not None
        live = resumed(table.match_id, checkpoint, events[span.last - 1], CODEC)
        assert live is not None
        assert amounts_to(live) == amounts_to(then)
        assert take_in(live, events[span.last :], CODEC) is None
        assert amounts_to(live) == amounts_to(whole)
        # What a later checkpoint says does not depend on where this one was.
        assert checkpoint_of(live) == checkpoint_of(whole)


@dataclass
class Twins:
    """Two stores with the same match: a service over one knows checkpoints, one over the other never any."""

    match_id: str
    stores: tuple[MemoryEventStore, MemoryEventStore]
    checkpoints: MemoryCheckpoints
    seed: int
    every: int
    resumptions: int = 0
    desks: list[Desk] = field(default_factory=list)

    async def restart(self, desk: Desk) -> None:
        """Both services begin anew, at the moment at which `desk` stands."""
        self.seed += 1
        checkpointing = Checkpointing(self.checkpoints, self.every), Checkpointing(MemoryCheckpoints(), 10**9)
        self.desks = [
            Desk(store, self.seed, copy.copy(desk.store_time), checkpointing=each)
            for store, each in zip(self.stores, checkpointing, strict=True)
        ]
        for each in self.desks:
            each.clock.ns, each.stopwatch.ns = desk.clock.ns, desk.stopwatch.ns
        resumed, whole = await self.both()
        self.resumptions += not resumed.spans.is_whole
        assert whole.spans.is_whole

    async def both(self) -> tuple[LiveMatch, LiveMatch]:
        """The match as the two know it."""
        first, second = [await desk.live.get(self.match_id) for desk in self.desks]
        assert isinstance(first, LiveMatch)
        assert isinstance(second, LiveMatch)
        return first, second


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", KINDS)
async def test_a_service_that_knows_checkpoints_answers_as_one_that_does_not(kind: str, seed: int) -> None:
    """Over many restarts: plays, rulings, pauses, old requests again, reused ids, decisions on what was seen before."""
    store, checkpoints = MemoryEventStore(), MemoryCheckpoints()
    desk = Desk(store, seed=seed, checkpointing=Checkpointing(checkpoints, 5))
    table = await played(kind, 100 + seed, 60, store, desk)
    twins = Twins(table.match_id, (store, copy.deepcopy(store)), checkpoints, seed, every=5)
    tables = (table, copy.deepcopy(table))
    read_whole = 0
    for _ in range(12):
        await twins.restart(twins.desks[0] if twins.desks else desk)
        for _ in range(15):
            outcomes = [await each.step(at) for each, at in zip(tables, twins.desks, strict=True)]
            assert outcomes[0] == outcomes[1]
            known, whole = await twins.both()
            assert amounts_to(known) == amounts_to(whole)
        read_whole += known.spans.is_whole
        if whole.match.status is Status.CLOSED:
            break
    assert twins.resumptions
    assert read_whole, "nothing asked for what lies before a checkpoint"
    stored = [await each.read(table.match_id) for each in twins.stores]
    assert stored[0] == stored[1]


async def test_everything_that_a_table_can_come_to_came_up() -> None:
    """Else the tests above would say nothing of it."""
    changed: set[str] = set()
    for kind in KINDS:
        store = MemoryEventStore()
        table = await played(kind, 1, 120, store, Desk(store, seed=1))
        live = LiveMatch(table.match_id)
        for event in (await store.read(table.match_id)).events:
            assert take_in(live, [event], CODEC) is None
            for value, usual in ((live.match, Match()), (live.match.table, EMPTY_TABLE)):
                changed |= {
                    each.name for each in fields(value) if getattr(value, each.name) != getattr(usual, each.name)
                }
    assert changed == {each.name for each in (*fields(Match), *fields(Table))}
