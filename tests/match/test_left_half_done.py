"""What nobody comes back for: batches whose senders have gone, and imports that broke off."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from tests.match.at_the_table import ROLLS, prefer
from tests.match.in_process import PARTITIONS, PLAYERS, ROLL, Desk, match_to, state_of
from tests.match.loaded_dice import NO_CUBE, LoadedDice, play
from tests.match.test_act import FlakyStore
from tests.match.test_direct import assert_lawful
from tests.match.test_lapses import by_the_clock, status
from tests.match.test_pausing import Pauser

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import settings_pb2 as terms_pb2
from gammon.rules.v1 import action_pb2, state_pb2
from gammon_match.app import timers
from gammon_match.app.identity import imported_match_id
from gammon_match.app.import_match import ImportedMatch, ImportMatchHandler, Record
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import AppendResult, Batch, DurabilityLevel, NotWritten, OutcomeUnknown
from gammon_match.app.writing import Written
from gammon_match.core.events import Status
from gammon_match.core.refusals import StoreAway, Unlawful
from gammon_match.service.record import read_record


@dataclass
class SlowStore(FlakyStore):
    """A store that stores at once and answers when a test lets it."""

    answering: asyncio.Event = field(default_factory=asyncio.Event)

    async def append(self, batch: Batch, level: DurabilityLevel) -> AppendResult:
        result = await super().append(batch, level)
        await self.answering.wait()
        return result


async def test_after_an_act_whose_sender_has_gone_the_service_acts_for_the_next_seat() -> None:
    store = SlowStore()
    store.answering.set()
    desk = Desk(store)
    desk.act._dice = desk.automatic._dice = LoadedDice([3, 1])
    live = await desk.match(NO_CUBE)
    await prefer(desk, live, 1, ROLLS)
    assert isinstance(await desk.do(live, 0, ROLL), Written)
    store.answering.clear()
    acting = asyncio.create_task(desk.do(live, 0, play("8/5 6/5")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    acting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await acting
    store.answering.set()
    await desk.timers.tick(live.match_id)
    assert (state_of(live).phase, state_of(live).turn) == (state_pb2.PHASE_TO_PLAY, 1)
    assert desk.timers.count == 0
    await assert_lawful(desk, live)


async def test_a_lost_batch_is_found_and_starts_the_clock_though_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timers, "AGAIN_NS", 0)
    store = FlakyStore()
    desk = Desk(store)
    live = await desk.match(None, by_the_clock())
    ticking = asyncio.create_task(desk.timers.run())
    store.answers = [(OutcomeUnknown("lost"), True)]
    assert not isinstance(await desk.do(live, 1, ROLL), Written)
    await asyncio.sleep(0.01)
    ticking.cancel()
    # Else the clock would begin to run with the next look.
    desk.stopwatch.pass_s(15)
    await desk.timers.tick(live.match_id)
    assert status(live) is Status.CLOSED


async def test_in_a_match_whose_import_broke_off_nothing_is_done_but_importing() -> None:
    store = FlakyStore()
    desk = Desk(store)

    async def parts() -> AsyncIterator[pb.ImportMatchRequest]:
        settings = terms_pb2.MatchSettings(rules=match_to(1))
        header = pb.ImportHeader(settings=settings, players=PLAYERS[:2], source_sha256=bytes(32))
        yield pb.ImportMatchRequest(header=header)
        yield pb.ImportMatchRequest(end=pb.RecordEnd())

    record = await read_record(parts(), "operator")
    assert isinstance(record, Record)
    importing = ImportMatchHandler(desk.law, desk.live, desk.recorder, desk.codec, PARTITIONS)
    append, appended = store.append, 0

    async def once(batch: Batch, level: DurabilityLevel) -> AppendResult:
        nonlocal appended
        appended += 1
        return await append(batch, level) if appended == 1 else NotWritten("told to be full")

    store.append = once  # type: ignore[method-assign]
    assert isinstance(await importing(record), StoreAway)
    store.append = append  # type: ignore[method-assign]
    live = await desk.live.get(imported_match_id(bytes(32), PARTITIONS))
    assert isinstance(live, LiveMatch)
    assert status(live) is Status.PLAYING
    resign = action_pb2.Action(resign=action_pb2.Resign(level=1))
    for refused in (
        await desk.do(live, 0, ROLL),
        await desk.do(live, 0, resign),
        await prefer(desk, live, 0, ROLLS),
        await Pauser(desk, live)(0),
    ):
        assert refused == Unlawful("8.5", "a match played elsewhere stays as its record has it")
    assert isinstance(await importing(record), ImportedMatch)
    assert status(live) is Status.CLOSED
    await assert_lawful(desk, live)
