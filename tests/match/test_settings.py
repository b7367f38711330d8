"""What can be agreed about a match: each fault by its field, all of them at once, and what an import cannot carry."""

from collections.abc import AsyncIterator, Callable

import pytest
from google.protobuf.duration_pb2 import Duration
from tests.match.in_process import Desk, match_to

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import settings_pb2 as match_pb
from gammon.rules.v1 import settings_pb2 as rules_pb
from gammon_match.adapters.memory_store import MemoryEventStore
from gammon_match.app.create_match import Created
from gammon_match.app.ports import AppendResult, Batch, DurabilityLevel
from gammon_match.core.refusals import DurabilityNotOffered, Malformed, RulesAway, Unsupported
from gammon_match.service.record import read_record
from gammon_match.service.settings import check_settings

DAY_S = 24 * 3600
Change = Callable[[match_pb.MatchSettings], object]


def settings(**fields: object) -> match_pb.MatchSettings:
    return match_pb.MatchSettings(rules=match_to(3), **fields)  # type: ignore[arg-type]


def seconds(number: float) -> Duration:
    return Duration(seconds=int(number), nanos=round(number % 1 * 1e9))


def clock(kind: int, reserve: Duration | None = None, per_move: Duration | None = None) -> match_pb.MatchSettings:
    agreed = match_pb.ClockSettings(reserve=reserve, per_move=per_move)
    agreed.kind = kind  # type: ignore[assignment]
    return settings(clock=agreed)


def faults_of(agreed: match_pb.MatchSettings, *, recorded: bool = False) -> dict[str, str]:
    found = check_settings(agreed, recorded=recorded)
    return {fault.field.removeprefix("settings."): fault.reason for fault in (*found.malformed, *found.unsupported)}


DELAY, FISCHER, DAYS = match_pb.CLOCK_KIND_DELAY, match_pb.CLOCK_KIND_FISCHER, match_pb.CLOCK_KIND_DAYS


@pytest.mark.parametrize(
    "agreed",
    [
        settings(),
        clock(match_pb.CLOCK_KIND_NONE),
        clock(DELAY, seconds(840), seconds(12)),
        clock(FISCHER, seconds(0.5), seconds(1)),
        clock(DAYS, None, seconds(60)),
        clock(DAYS, None, seconds(366 * DAY_S)),
        settings(absence=match_pb.AbsenceSettings(abandonment=seconds(120), pause_budget=seconds(300))),
        settings(spectators=match_pb.SPECTATOR_POLICY_OFF),
        settings(spectators=match_pb.SPECTATOR_POLICY_DELAYED, spectator_delay=1000),
        settings(take_backs=True, private=True, rated=True, tags=["cup:2026", "round:1"]),
        settings(seats=[match_pb.SeatSettings(player="alice"), match_pb.SeatSettings(invited=True)]),
        settings(durability=match_pb.Durability(level=match_pb.DURABILITY_LEVEL_FSYNCED)),
        settings(durability=match_pb.Durability(level=match_pb.DURABILITY_LEVEL_REPLICATED, replicas=2)),
    ],
)
def test_what_can_be_agreed(agreed: match_pb.MatchSettings) -> None:
    assert faults_of(agreed) == {}


@pytest.mark.parametrize(
    ("agreed", "fields"),
    [
        (match_pb.MatchSettings(), {"rules"}),
        (clock(9), {"clock.kind"}),
        (clock(match_pb.CLOCK_KIND_NONE, seconds(1), seconds(1)), {"clock.reserve", "clock.per_move"}),
        (settings(clock=match_pb.ClockSettings(claimed=True)), {"clock.claimed"}),
        (clock(DELAY), {"clock.reserve", "clock.per_move"}),
        (clock(DELAY, seconds(0), seconds(0)), {"clock.reserve", "clock.per_move"}),
        (clock(FISCHER, seconds(60)), {"clock.per_move"}),
        (clock(FISCHER, None, seconds(5)), {"clock.reserve"}),
        (clock(FISCHER, Duration(seconds=-60), seconds(5)), {"clock.reserve"}),
        (clock(FISCHER, Duration(seconds=60, nanos=-1), seconds(5)), {"clock.reserve"}),
        (clock(FISCHER, Duration(nanos=1_000_000_000), seconds(5)), {"clock.reserve"}),
        (clock(DELAY, seconds(366 * DAY_S + 1), seconds(5)), {"clock.reserve"}),
        (clock(DAYS), {"clock.per_move"}),
        (clock(DAYS, None, seconds(59)), {"clock.per_move"}),
        (clock(DAYS, seconds(1), seconds(DAY_S)), {"clock.reserve"}),
        (
            settings(absence=match_pb.AbsenceSettings(abandonment=seconds(0), pause_budget=Duration(seconds=-1))),
            {"absence.abandonment", "absence.pause_budget"},
        ),
        (settings(absence=match_pb.AbsenceSettings(abandonment=seconds(367 * DAY_S))), {"absence.abandonment"}),
        (settings(spectators=4), {"spectators"}),
        (settings(spectators=match_pb.SPECTATOR_POLICY_DELAYED), {"spectator_delay"}),
        (settings(spectators=match_pb.SPECTATOR_POLICY_DELAYED, spectator_delay=1001), {"spectator_delay"}),
        (settings(spectator_delay=3), {"spectator_delay"}),
        (settings(dice=4), {"dice"}),
        (settings(dice=match_pb.DICE_SOURCE_RECORDED), {"dice"}),
        (settings(dice=match_pb.DICE_SOURCE_BGD1), {"dice"}),
        (settings(source_sha256=bytes(32)), {"source_sha256"}),
        (settings(rematch_of="m_000_" + "A" * 26), {"rematch_of"}),
        (settings(rules_version="1"), {"rules_version"}),
        (settings(seats=[match_pb.SeatSettings()]), {"seats"}),
        (settings(seats=[match_pb.SeatSettings(player="a b"), match_pb.SeatSettings()]), {"seats[0].player"}),
        (
            settings(seats=[match_pb.SeatSettings(player="alice", invited=True), match_pb.SeatSettings()]),
            {"seats[0].invited"},
        ),
        (
            settings(
                seats=[
                    match_pb.SeatSettings(signed=True),
                    match_pb.SeatSettings(contribution=match_pb.CONTRIBUTION_MODE_LIVE),
                ]
            ),
            {"seats[0].signed", "seats[1].contribution"},
        ),
        (settings(seats=[match_pb.SeatSettings(contribution=4), match_pb.SeatSettings()]), {"seats[0].contribution"}),  # type: ignore[arg-type]
        (settings(tags=["a", "b c", "a"]), {"tags[1]", "tags[2]"}),
        (settings(tags=[str(number) for number in range(9)]), {"tags"}),
        (settings(durability=match_pb.Durability(level=7)), {"durability.level"}),  # type: ignore[arg-type]
        (
            settings(durability=match_pb.Durability(level=match_pb.DURABILITY_LEVEL_FSYNCED, replicas=1)),
            {"durability.replicas"},
        ),
        (settings(durability=match_pb.Durability(level=match_pb.DURABILITY_LEVEL_DURABLE)), {"durability.replicas"}),
    ],
)
def test_what_cannot_be_agreed_is_named(agreed: match_pb.MatchSettings, fields: set[str]) -> None:
    assert set(faults_of(agreed)) == fields


def much_wrong() -> match_pb.MatchSettings:
    """Faults of the law's part and of the rest, and something that waits for a later version."""
    agreed = clock(DELAY)
    agreed.rules.seats, agreed.rules.match.points, agreed.rules.centres = 3, 0, rules_pb.CENTRES_FOUR
    agreed.tags.append("a b")
    agreed.dice = match_pb.DICE_SOURCE_BGD1
    return agreed


async def test_all_faults_come_at_once_the_laws_and_the_others() -> None:
    store = MemoryEventStore()
    refused = await Desk(store).created(much_wrong())
    assert isinstance(refused, Malformed)
    assert {fault.field for fault in refused.faults} == {
        "settings.rules.seats",
        "settings.rules.match",
        "settings.rules.match.points",
        "settings.rules.centres",
        "settings.clock.reserve",
        "settings.clock.per_move",
        "settings.tags[0]",
        "settings.dice",
    }
    assert list((await store.list_matches("", 1)).match_ids) == []


async def test_a_known_fault_is_told_though_the_law_does_not_answer() -> None:
    desk = Desk()
    desk.law.away = True
    refused = await desk.created(much_wrong())
    assert isinstance(refused, Malformed)
    assert "settings.clock.reserve" in {fault.field for fault in refused.faults}
    assert isinstance(await desk.created(settings()), RulesAway)


async def test_what_is_only_not_served_yet_is_unsupported() -> None:
    refused = await Desk().created(settings(dice=match_pb.DICE_SOURCE_BGD1))
    assert isinstance(refused, Unsupported)
    assert [fault.field for fault in refused.faults] == ["settings.dice"]


class Levels(MemoryEventStore):
    """Keeps the levels that it was asked for."""

    def __init__(self, offered: DurabilityLevel) -> None:
        super().__init__(offered)
        self.asked: list[DurabilityLevel] = []

    async def append(self, batch: Batch, level: DurabilityLevel) -> AppendResult:
        self.asked.append(level)
        return await super().append(batch, level)


async def test_the_durability_of_a_match_holds_for_all_that_is_told_of_it() -> None:
    agreed = settings(durability=match_pb.Durability(level=match_pb.DURABILITY_LEVEL_FSYNCED))
    store = Levels(DurabilityLevel.FSYNCED)
    desk = Desk(store)
    created = await desk.created(agreed)
    assert isinstance(created, Created)
    for seat, player in enumerate(("alice", "bob")):
        await desk.sit(created.live, player, seat)
    await desk.play_out(created.live, most_acts=5)
    # What is repeated is confirmed anew, at the same level.
    await desk.sit(created.live, "alice", 0)
    assert len(store.asked) == 9
    assert set(store.asked) == {DurabilityLevel.FSYNCED}
    assert (await Desk(MemoryEventStore()).created(agreed)) == DurabilityNotOffered("FSYNCED", "ACCEPTED")


CARRIED: dict[str, Change] = {
    "clock": lambda s: s.clock.SetInParent(),
    "absence": lambda s: s.absence.SetInParent(),
    "durability": lambda s: s.durability.SetInParent(),
    "spectators": lambda s: setattr(s, "spectators", match_pb.SPECTATOR_POLICY_OFF),
    "spectator_delay": lambda s: setattr(s, "spectator_delay", 2),
    "take_backs": lambda s: setattr(s, "take_backs", True),
    "private": lambda s: setattr(s, "private", True),
    "rematch_of": lambda s: setattr(s, "rematch_of", "m_000_" + "A" * 26),
    "dice": lambda s: setattr(s, "dice", match_pb.DICE_SOURCE_SERVICE),
}


@pytest.mark.parametrize("name", CARRIED)
async def test_an_import_carries_nothing_that_makes_no_sense_of_it(name: str) -> None:
    header = pb.ImportHeader(settings=settings(), players=["a", "b"], source_sha256=bytes(range(32)))
    CARRIED[name](header.settings)

    async def parts() -> AsyncIterator[pb.ImportMatchRequest]:
        yield pb.ImportMatchRequest(header=header)
        yield pb.ImportMatchRequest(end=pb.RecordEnd())

    refused = await read_record(parts(), "operator")
    assert isinstance(refused, Malformed)
    assert [fault.field for fault in refused.faults] == [f"settings.{name}"]
