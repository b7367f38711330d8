"""Seat preferences: the service rolls where no double is possible and makes the only play, each with its reason."""

from random import Random

import pytest
from tests.engine.race import quick_games
from tests.match.at_the_table import BOTH, PLAYS, ROLLS, envelopes, kinds, prefer
from tests.match.in_process import ROLL, Desk, match_to, state_of
from tests.match.loaded_dice import NO_CUBE, act, by_the_service, events_of, loaded, play
from tests.match.test_direct import assert_lawful, law, money
from tests.match.test_more_players import GAMMON, session

from gammon.match.v1 import events_pb2
from gammon.rules.v1 import action_pb2, settings_pb2, state_pb2
from gammon_engine.referee.actions import VoidGame
from gammon_match.app.automatic import automatic_request_id
from gammon_match.app.direct import TakeBackTo
from gammon_match.app.ports import Head
from gammon_match.app.writing import Written
from gammon_match.core.refusals import MatchIsClosed, NotYourSeat, Overtaken, RequestIdReused
from gammon_match.core.table_events import NO_PREFERENCES

__all__ = ["quick_games"]

SYSTEM = events_pb2.Actor(system=events_pb2.SystemActor())


async def test_the_service_rolls_where_the_seat_cannot_double() -> None:
    # Seat 0 starts with 3-1; the service rolls 6-4 for seat 1.
    desk, live = await loaded([3, 1, 6, 4])
    await prefer(desk, live, 1, ROLLS)
    await desk.do(live, 0, ROLL)
    played = await desk.do(live, 0, play("8/5 6/5"))
    (play_made,) = envelopes(played)
    batch = await events_of(desk, live, played.events[-1].sequence)  # type: ignore[union-attr]
    assert kinds(batch) == ["acted_by_system", "draw_requested", "dice_drawn", "rolled"]
    reason = batch[0].acted_by_system
    assert (reason.seat, reason.reason) == (1, events_pb2.SYSTEM_REASON_NO_DOUBLE)
    head = played.events[-1].sequence  # type: ignore[union-attr]
    assert {event.request_id for event in batch} == {automatic_request_id(head)}
    assert all(event.actor == SYSTEM for event in batch)
    assert batch[1].draw_requested.seat == 1
    assert [event.HasField("batch_end") for event in batch] == [False, False, False, True]
    state = state_of(live)
    assert (state.turn, list(state.dice), state.phase) == (1, [6, 4], state_pb2.PHASE_TO_PLAY)
    # Its own play is the seat's; and seat 0, who has no preferences, rolls by itself.
    assert play_made.fact.play_made.seat == 0
    await desk.do(live, 1, play("24/14"))
    assert (state_of(live).phase, state_of(live).turn) == (state_pb2.PHASE_TO_ROLL, 0)
    await assert_lawful(desk, live)


async def test_it_does_not_roll_where_the_seat_could_double() -> None:
    desk, live = await loaded([3, 1], match_to(3))
    await prefer(desk, live, 1, BOTH)
    await desk.do(live, 0, ROLL)
    await desk.do(live, 0, play("8/5 6/5"))
    assert (state_of(live).phase, state_of(live).turn) == (state_pb2.PHASE_TO_ROLL, 1)
    assert await by_the_service(desk, live) == []


async def test_it_makes_the_only_play_and_goes_on_with_what_follows() -> None:
    desk, live = await loaded([3, 1])
    for seat in (0, 1):
        await prefer(desk, live, seat, BOTH)
    random = Random(2)
    forced: list[events_pb2.Envelope] = []
    await desk.do(live, 0, ROLL)
    while len(forced) < 3:
        await act(desk, live, random)
        forced = [event for event in await by_the_service(desk, live) if event.fact.HasField("play_made")]
        assert state_of(live).phase != state_pb2.PHASE_OVER
    events = await events_of(desk, live)
    for index, event in enumerate(events):
        if event.HasField("acted_by_system") and event.acted_by_system.reason == events_pb2.SYSTEM_REASON_FORCED:
            assert kinds(events[index + 1 : index + 2]) == ["play_made"]
            assert events[index + 1].fact.play_made.seat == event.acted_by_system.seat
    await assert_lawful(desk, live)


async def test_it_makes_no_play_for_who_only_wants_rolls_and_no_roll_for_who_only_wants_plays() -> None:
    for preferences, other in ((ROLLS, "play_made"), (PLAYS, "rolled")):
        desk = Desk(seed=4)
        live = await desk.match(NO_CUBE)
        for seat in (0, 1):
            await prefer(desk, live, seat, preferences)
        random = Random(4)
        await desk.do(live, 0, ROLL)
        for _ in range(60):
            await act(desk, live, random)
        done = kinds(await by_the_service(desk, live))
        assert done
        assert other not in done


async def test_preferences_are_set_once_by_who_holds_the_seat_at_any_time() -> None:
    desk = Desk()
    live = await desk.match_created()
    assert await prefer(desk, live, 0, BOTH) == NotYourSeat(0)
    live = await desk.match()
    first = await prefer(desk, live, 0, ROLLS, "wish")
    (event,) = envelopes(first)
    assert event.actor.seat == 0
    assert event.preferences_set == events_pb2.PreferencesSet(
        seat=0,
        preferences={"roll_without_choice": True, "play_forced": False},  # type: ignore[arg-type]
    )
    again = await prefer(desk, live, 0, ROLLS, "wish")
    assert isinstance(again, Written)
    assert (again.repeated, again.events) == (True, first.events)  # type: ignore[union-attr]
    assert await prefer(desk, live, 0, BOTH, "wish") == RequestIdReused("wish", live.head.sequence)
    assert await prefer(desk, live, 0, BOTH, player="bob") == NotYourSeat(0)
    await prefer(desk, live, 0, NO_PREFERENCES)
    assert not live.match.table.lets_act
    await desk.play_out(live)
    assert await prefer(desk, live, 0, BOTH) == MatchIsClosed(live.head.sequence)
    await assert_lawful(desk, live)


async def test_setting_them_on_ones_turn_rolls_at_once() -> None:
    desk, live = await loaded([3, 1])
    await desk.do(live, 0, ROLL)
    await desk.do(live, 0, play("8/5 6/5"))
    assert isinstance(await prefer(desk, live, 1, ROLLS), Written)
    assert state_of(live).phase == state_pb2.PHASE_TO_PLAY
    assert kinds(await by_the_service(desk, live))[0] == "acted_by_system"


async def test_matches_without_preferences_ask_for_nothing_more() -> None:
    desk = Desk()
    live = await desk.match(NO_CUBE)
    await desk.play_out(live)
    assert desk.law.asked_for_choices == 0
    # With them, only where a seat that has them is to act.
    desk, live = await loaded([3, 1])
    await prefer(desk, live, 0, ROLLS)
    await desk.do(live, 0, ROLL)
    await desk.do(live, 0, play("8/5 6/5"))
    assert desk.law.asked_for_choices == 0


async def test_a_client_that_asks_for_the_same_gets_it_and_no_conflict() -> None:
    desk, live = await loaded([3, 1, 6, 4])
    await prefer(desk, live, 1, ROLLS)
    await desk.do(live, 0, ROLL)
    played = await desk.do(live, 0, play("8/5 6/5"))
    assert isinstance(played, Written)
    seen = Head(played.events[-1].sequence, played.events[-1].hash)
    # Seat 1 has seen the play and not yet that its roll was thrown, and asks for it.
    rolled = await desk.do(live, 1, ROLL, "mine", seen)
    assert isinstance(rolled, Written)
    assert rolled.repeated
    assert kinds(envelopes(rolled)) == ["acted_by_system", "draw_requested", "dice_drawn", "rolled"]
    assert await desk.do(live, 1, ROLL, "mine", seen) == rolled
    # Anything else that was decided before the dice fell is overtaken, as ever.
    resign = action_pb2.Action(resign=action_pb2.Resign(level=1))
    assert await desk.do(live, 1, resign, seen=seen) == Overtaken(live.head.sequence, live.head.hash)
    assert await desk.do(live, 0, ROLL, seen=seen) == Overtaken(live.head.sequence, live.head.hash)


async def test_preferences_set_meanwhile_overtake_nobody() -> None:
    desk, live = await loaded([3, 1])
    await desk.do(live, 0, ROLL)
    seen = live.head
    await prefer(desk, live, 1, BOTH)
    assert isinstance(await desk.do(live, 0, play("8/5 6/5"), seen=seen), Written)


async def test_it_goes_on_after_a_ruling_and_a_take_back_too() -> None:
    desk, live = await loaded([3, 1, 6, 4])
    await prefer(desk, live, 1, ROLLS)
    await desk.do(live, 0, ROLL)
    played = await desk.do(live, 0, play("8/5 6/5"))
    assert isinstance(played, Written)
    drawn = live.match.draws
    assert isinstance(await desk.rule(live, TakeBackTo(played.events[-1].sequence)), Written)
    # Back to before a throw, the next one is a new draw (rule 8.5).
    assert (state_of(live).phase, live.match.draws) == (state_pb2.PHASE_TO_PLAY, drawn + 1)
    assert isinstance(await desk.rule(live, law(VoidGame())), Written)
    assert state_of(live).phase == state_pb2.PHASE_OPENING
    await assert_lawful(desk, live)


@pytest.mark.usefixtures("quick_games")
@pytest.mark.parametrize("rules", [match_to(3), money(2), NO_CUBE, session(3), session(4), GAMMON])
@pytest.mark.parametrize("seed", range(2))
async def test_c22_whole_matches_with_all_preferences_are_lawful_and_nobody_is_resigned(
    rules: settings_pb2.Settings, seed: int
) -> None:
    """What the service does for a seat is a roll or a play that is forced: it gives nothing up."""
    desk = Desk(seed=seed)
    live = await desk.match(rules)
    for seat in range(live.terms().seats):
        await prefer(desk, live, seat, BOTH)
    await desk.play_out(live)
    assert state_of(live).phase == state_pb2.PHASE_OVER
    done = set(kinds(await by_the_service(desk, live)))
    assert "acted_by_system" in done
    assert not done & {"offer_made", "offer_closed", "double_offered", "double_dropped", "seat_left", "forfeited"}
    await assert_lawful(desk, live)
