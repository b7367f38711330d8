"""Making a match: presets, accepted terms, open and reserved seats; on both stores."""

from hashlib import sha256

from tests.match.in_process import PLAYERS, ROLL, Desk, match_to
from tests.match.making import assert_lawful, count, created, seated

from gammon.match.v1 import events_pb2
from gammon.match.v1 import settings_pb2 as match_pb
from gammon.rules.v1 import settings_pb2 as rules_pb
from gammon_match.app.create_match import Created
from gammon_match.app.ports import EventStore, Recorded
from gammon_match.app.presets import list_presets
from gammon_match.app.take_seat import Seated
from gammon_match.core.events import Status
from gammon_match.core.refusals import (
    Malformed,
    RequestIdReused,
    RulesAway,
    SeatUnavailable,
    SettingsNotAccepted,
)
from gammon_match.core.table_events import Preferences
from gammon_match.service.making import preset_view


async def test_u1_u38_a_match_can_be_made_from_every_preset() -> None:
    desk = Desk()
    presets = await list_presets(desk.law, 0)
    assert isinstance(presets, tuple)
    by_name = {preset.name: preset_view(preset).settings for preset in presets}
    assert len(by_name) == len(presets)
    assert list(by_name)[:3] == ["backgammon-match", "backgammon-money-session", "backgammon-nackgammon"]
    for name, settings in by_name.items():
        made = await desk.created(settings)
        assert isinstance(made, Created), (name, made)
        assert made.live.terms().is_timed
        for seat in range(settings.rules.seats):
            seated(await desk.sit(made.live, PLAYERS[seat]))
        assert made.live.match.status is Status.PLAYING
        await assert_lawful(desk, made.live)
    # Every game and every number of seats has one by the day and one by the minute.
    for kind in (match_pb.CLOCK_KIND_DAYS, match_pb.CLOCK_KIND_DELAY):
        of_kind = {(s.rules.game, s.rules.seats) for s in by_name.values() if s.clock.kind == kind}
        track = rules_pb.GAME_TRACKGAMMON
        assert of_kind == {(game, 2) for game in range(1, 6)} | {(track, 3), (track, 4)}
    match = by_name["backgammon-match"]
    # Two minutes for each of seven points, and twelve seconds a move.
    assert (match.clock.reserve.seconds, match.clock.per_move.seconds) == (840, 12)
    assert by_name["backgammon-correspondence"].clock.per_move.seconds == 3 * 24 * 3600
    assert by_name["trackgammon-correspondence-3"].rules.seats == 3


async def test_presets_are_listed_by_game() -> None:
    desk = Desk()
    some = await list_presets(desk.law, rules_pb.GAME_CATCHGAMMON)
    assert isinstance(some, tuple)
    assert [preset.name for preset in some] == [
        "catchgammon-match",
        "catchgammon-money-session",
        "catchgammon-correspondence",
    ]
    assert isinstance(await list_presets(desk.law, 17), Malformed)
    desk.law.away = True
    assert isinstance(await list_presets(desk.law, 0), RulesAway)


async def test_u40_a_seat_is_taken_only_on_the_settings_as_they_are(either_store: EventStore) -> None:
    desk = Desk(either_store)
    live = await created(desk)
    right = sha256(live.match.settings).digest()
    for accepted in (b"", bytes(32), sha256(b"other settings").digest()):
        assert await desk.sit(live, "alice", 0, accepted=accepted) == SettingsNotAccepted(right)
    assert await count(desk, live) == 1
    assert seated(await desk.sit(live, "alice", 0, accepted=right)) == 0
    # Settings never change, so what is not accepted now was not accepted then.
    assert await desk.sit(live, "alice", 0, accepted=b"") == SettingsNotAccepted(right)
    recorded = await either_store.read(live.match_id)
    assert isinstance(recorded, Recorded)
    taken = events_pb2.Envelope.FromString(recorded.events[1].envelope).seat_taken
    assert taken.accepted_settings == right


async def test_u36_ones_own_seat_again_is_the_same_seat_and_the_state(either_store: EventStore) -> None:
    desk = Desk(either_store)
    live = await desk.match(match_to(1))
    await desk.do(live, 0, ROLL)
    events = await count(desk, live)
    elsewhere = Desk(either_store)
    for seat in (0, None):
        again = await elsewhere.sit(live, "alice", seat)
        assert isinstance(again, Seated)
        assert (again.seat, again.live.match.state, again.live.head) == (0, live.match.state, live.head)
    await desk.play_out(live)
    after = await elsewhere.sit(live, "bob")
    assert isinstance(after, Seated)
    assert (after.seat, after.live.match.status) == (1, Status.CLOSED)
    assert await count(desk, live) > events


async def test_a_request_for_a_seat_is_answered_once() -> None:
    desk = Desk()
    live = await created(desk)
    wanted = Preferences(roll_without_choice=True)
    assert seated(await desk.sit(live, "alice", request_id="one", preferences=wanted)) == 0
    assert seated(await desk.sit(live, "alice", request_id="one", preferences=wanted)) == 0
    for player, seat, preferences in (("alice", 1, wanted), ("bob", None, wanted), ("alice", None, Preferences())):
        refused = await desk.sit(live, player, seat, request_id="one", preferences=preferences)
        assert refused == RequestIdReused("one", 2)
    assert await count(desk, live) == 2
    holder = live.match.holder(0)
    assert holder is not None
    assert holder.preferences == wanted


async def test_any_seat_is_first_the_one_that_is_reserved() -> None:
    desk = Desk()
    live = await created(desk, seats=[match_pb.SeatSettings(), match_pb.SeatSettings(player="bob")])
    assert await desk.sit(live, "carol", 1) == SeatUnavailable(1, "the seat is reserved for somebody else")
    assert seated(await desk.sit(live, "bob")) == 1
    assert seated(await desk.sit(live, "carol")) == 0
    assert await desk.sit(live, "dave") == SeatUnavailable(None, "no seat is open to this player")
    assert await desk.sit(live, "dave", 0) == SeatUnavailable(0, "the seat is held by somebody else")
    assert await desk.sit(live, "dave", 2) == SeatUnavailable(2, "the match has seats 0 to 1")
    await assert_lawful(desk, live)
