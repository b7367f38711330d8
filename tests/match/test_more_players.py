"""The match service with three and four seats and with the mixed match: it knows no game and needs to know none."""

import pytest
from tests.engine.race import quick_games
from tests.match.in_process import ROLL, Desk, state_of

from gammon.match.v1 import events_pb2
from gammon.rules.v1 import action_pb2, settings_pb2, state_pb2
from gammon_audit.audit import audit
from gammon_audit.record import MatchRecord, RawEvent
from gammon_audit.report import Verdict
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import Recorded
from gammon_match.app.writing import Written
from gammon_match.core.refusals import Unlawful

__all__ = ["quick_games"]
pytestmark = pytest.mark.usefixtures("quick_games")

GAMMON = settings_pb2.Settings(game=settings_pb2.GAME_GAMMON, seats=2, match=settings_pb2.MatchPlay(points=5))


def session(seats: int) -> settings_pb2.Settings:
    """Trackgammon, two games."""
    play = settings_pb2.SessionPlay(games=2)
    return settings_pb2.Settings(game=settings_pb2.GAME_TRACKGAMMON, seats=seats, session=play)


async def kinds_after(desk: Desk, live: LiveMatch, seat: int, action: action_pb2.Action) -> list[str]:
    """What an act that must succeed stored, by kind."""
    done = await desk.do(live, seat, action)
    assert isinstance(done, Written), done
    events = [events_pb2.Envelope.FromString(event.envelope) for event in done.events]
    return [
        event.fact.WhichOneof("kind") or "" if event.HasField("fact") else event.WhichOneof("event") or ""
        for event in events
    ]


async def record_of(desk: Desk, live: LiveMatch) -> MatchRecord:
    """The match as it is stored."""
    recorded = await desk.store.read(live.match_id)
    assert isinstance(recorded, Recorded)
    assert recorded.head is not None
    events = tuple(RawEvent(event.sequence, event.envelope, event.hash) for event in recorded.events)
    return MatchRecord(live.match_id, events, recorded.head.sequence, recorded.head.hash)


async def test_one_act_throws_for_the_start_and_the_starters_two_dice() -> None:
    """Seeds are tried until one ties first: three throws, ties thrown again, then both dice, all in one batch."""
    for seed in range(40):
        desk = Desk(seed=seed)
        live = await desk.match(session(3))
        kinds = await kinds_after(desk, live, 1, ROLL)
        throw = ["draw_requested", "dice_drawn", "opening_thrown"]
        ties = kinds.count("opening_thrown") - 1
        assert kinds == throw * (ties + 1) + ["draw_requested", "dice_drawn", "game_opened", "rolled"]
        assert state_of(live).phase == state_pb2.PHASE_TO_PLAY
        if ties:
            return
    raise AssertionError("no tie")


@pytest.mark.parametrize("rules", [session(2), session(3), session(4), GAMMON], ids=["two", "three", "four", "mixed"])
@pytest.mark.parametrize("seed", range(3))
async def test_a_whole_match_is_played_and_audited(rules: settings_pb2.Settings, seed: int) -> None:
    desk = Desk(seed=seed)
    live = await desk.match(rules)
    await desk.play_out(live)
    assert state_of(live).phase == state_pb2.PHASE_OVER
    for check in audit(await record_of(desk, live)).checks:
        assert check.verdict is not Verdict.FAIL, check


async def test_doubling_staying_leaving_and_offers_are_acts_like_any_other() -> None:
    desk = Desk()
    live = await desk.match(session(3))
    await kinds_after(desk, live, 0, ROLL)
    seat = state_of(live).turn
    await kinds_after(desk, live, seat, action_pb2.Action(play=action_pb2.MakePlay(text="go")))
    seat = state_of(live).turn
    others = [(seat + 1) % 3, (seat + 2) % 3]
    assert await kinds_after(desk, live, seat, action_pb2.Action(no_result=action_pb2.OfferNoResult())) == [
        "offer_made"
    ]
    assert await kinds_after(desk, live, seat, action_pb2.Action(withdraw=action_pb2.Withdraw())) == ["offer_closed"]
    assert await kinds_after(desk, live, seat, action_pb2.Action(double=action_pb2.OfferDouble())) == ["double_offered"]
    early = await desk.do(live, others[1], action_pb2.Action(stay=action_pb2.Stay()))
    assert isinstance(early, Unlawful)
    assert early.rule == "6.10"
    assert await kinds_after(desk, live, others[0], action_pb2.Action(stay=action_pb2.Stay())) == ["stayed"]
    assert await kinds_after(desk, live, others[1], action_pb2.Action(leave=action_pb2.Leave())) == ["seat_left"]
    assert state_of(live).last_doubler == seat
