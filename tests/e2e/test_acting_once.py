"""The same request again is the same event and the same answer, whatever happened in between (S1, S3, S13, M28)."""

import asyncio

import pytest
from tests.e2e.play import PLAYERS, ROLL, audited, backgammon, clients, table
from tests.e2e.reach import Reachable
from tests.e2e.suite import Suite

from gammon.match.v1 import events_pb2
from gammon.rules.v1 import action_pb2
from gammon.rules.v1 import settings_pb2 as rules_pb2
from gammon_client.errors import AgainstTheLaw, Closed, Conflict, Malformed, NotYourSeat, RequestIdReused, StoreRewound
from gammon_client.match_client import MatchClient, Receipt

RESIGN_ALL = action_pb2.Action(resign=action_pb2.Resign(level=3))


async def count(client: MatchClient, match_id: str) -> int:
    return len((await client.list_events(match_id)).events)


async def test_the_same_act_twice_is_one_event_and_one_answer(suite: Reachable) -> None:
    async with table(suite) as at:
        seen = at.clients[0].receipts[at.match_id]
        first = await at.clients[0].act(at.match_id, 0, ROLL, request_id="roll-1")
        stored = await count(at.clients[0], at.match_id)
        again = await at.clients[0].act(at.match_id, 0, ROLL, request_id="roll-1", seen=seen)
        assert not first.repeated_request
        assert again.repeated_request
        assert again.events == first.events
        assert await count(at.clients[0], at.match_id) == stored


async def test_the_same_act_again_after_a_restart_of_the_match_service(own_suite: Suite) -> None:
    async with table(own_suite) as at:
        seen = at.clients[0].receipts[at.match_id]
        first = await at.clients[0].act(at.match_id, 0, ROLL, request_id="roll-1")
        stored = await count(at.clients[0], at.match_id)
        own_suite.restart("match")
        again = await at.clients[0].act(at.match_id, 0, ROLL, request_id="roll-1", seen=seen)
        assert again.repeated_request
        assert again.events == first.events
        assert await count(at.clients[0], at.match_id) == stored


async def test_the_same_act_while_the_first_is_in_flight(suite: Reachable) -> None:
    async with table(suite) as at, clients(suite, "alice", "alice") as others:
        seen = at.clients[0].receipts[at.match_id]
        answers = await asyncio.gather(
            *(
                client.act(at.match_id, 0, ROLL, request_id="roll-1", seen=seen)
                for client in (at.clients[0], *others)
                for _ in range(4)
            )
        )
        assert len({tuple(event.hash for event in answer.events) for answer in answers}) == 1
        assert sorted(answer.repeated_request for answer in answers) == [False] + [True] * 11
        assert (await audited(at.clients[0], at.match_id)).verdict == "INCOMPLETE"


async def test_s13_a_move_sent_again_after_reconnects_is_acknowledged(suite: Reachable) -> None:
    async with table(suite) as at:
        seen = at.clients[0].receipts[at.match_id]
        first = await at.clients[0].act(at.match_id, 0, ROLL, request_id="move", seen=seen)
        stored = await count(at.clients[0], at.match_id)
        for _ in range(5):
            async with clients(suite, "alice") as (reconnected,):
                again = await reconnected.act(at.match_id, 0, ROLL, request_id="move", seen=seen)
                assert again.repeated_request
                assert again.events == first.events
        # Also once the match has gone on.
        await at.play()
        async with clients(suite, "alice") as (reconnected,):
            assert (await reconnected.act(at.match_id, 0, ROLL, request_id="move", seen=seen)).events == first.events
        assert stored < await count(at.clients[0], at.match_id)


async def test_s12_the_last_seats_taken_at_once_start_one_match(suite: Reachable) -> None:
    async with clients(suite, *PLAYERS) as players:
        settings = backgammon()
        settings.rules.game, settings.rules.seats = rules_pb2.GAME_TRACKGAMMON, 4
        settings.rules.session.games = 1
        match = await players[0].create_match(settings)
        taken = await asyncio.gather(*(player.take_seat(match) for player in players for _ in range(3)))
        assert sorted(one.seat for one in taken) == sorted([0, 1, 2, 3] * 3)
        events = (await players[0].list_events(match.match_id)).events
        kinds = [events_pb2.Envelope.FromString(event.envelope).WhichOneof("event") for event in events]
        assert kinds == ["match_created", *["seat_taken"] * 4, "match_started"]


async def test_m28_two_rolls_of_one_player_are_one_roll(suite: Reachable) -> None:
    async with table(suite) as at:
        seen = at.clients[0].receipts[at.match_id]
        await at.clients[0].act(at.match_id, 0, ROLL)
        with pytest.raises(Conflict):
            await at.clients[0].act(at.match_id, 0, ROLL, seen=seen)


async def test_two_racing_writers_one_wins_the_other_is_told_the_head(suite: Reachable) -> None:
    async with table(suite) as at:
        seen = at.clients[0].receipts[at.match_id]
        outcomes = await asyncio.gather(
            at.clients[0].act(at.match_id, 0, ROLL, seen=seen),
            at.clients[1].act(at.match_id, 1, ROLL, seen=seen),
            return_exceptions=True,
        )
        lost = [outcome for outcome in outcomes if isinstance(outcome, Conflict)]
        won = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
        assert len(lost) == len(won) == 1
        assert lost[0].metadata["sequence"] == str(won[0].events[-1].sequence)
        assert lost[0].metadata["hash"] == won[0].events[-1].hash.hex()


async def test_racing_writers_of_two_services_on_one_store(
    own_suite: Suite, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = Suite(tmp_path_factory.mktemp("other"), own_suite.redis_url)
    try:
        other.start()
        async with table(own_suite) as at, clients(other, "bob") as (bob,):
            seen = at.clients[0].receipts[at.match_id]
            assert (await bob.get_match(at.match_id)).head.sequence == seen.sequence
            outcomes = await asyncio.gather(
                at.clients[0].act(at.match_id, 0, ROLL, seen=seen),
                bob.act(at.match_id, 1, ROLL, seen=seen),
                return_exceptions=True,
            )
            lost = [outcome for outcome in outcomes if isinstance(outcome, Conflict)]
            won = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
            assert len(lost) == len(won) == 1, outcomes
            assert lost[0].metadata["sequence"] == str(won[0].events[-1].sequence)
            assert (await audited(at.clients[0], at.match_id)).verdict == "INCOMPLETE"
    finally:
        other.stop()


async def test_creating_twice_with_one_request_id_is_one_match(suite: Reachable) -> None:
    async with clients(suite, "carol", "dave") as (carol, dave):
        first = await carol.create_match(backgammon(), request_id="match-1")
        again = await carol.create_match(backgammon(), request_id="match-1")
        theirs = await dave.create_match(backgammon(), request_id="match-1")
        assert again.match_id == first.match_id
        assert theirs.match_id != first.match_id
        assert await count(carol, first.match_id) == 1
        with pytest.raises(RequestIdReused):
            await carol.create_match(backgammon(points=7), request_id="match-1")


async def test_a_request_id_is_not_used_for_something_else(suite: Reachable) -> None:
    async with table(suite) as at:
        await at.clients[0].act(at.match_id, 0, ROLL, request_id="one")
        with pytest.raises(RequestIdReused):
            await at.clients[0].act(at.match_id, 0, RESIGN_ALL, request_id="one")


async def test_taking_ones_own_seat_again_is_the_same_seat(suite: Reachable) -> None:
    async with clients(suite, "carol", "dave", "erin") as (carol, dave, erin):
        match = await carol.create_match(backgammon())
        first = await carol.take_seat(match)
        again = await carol.take_seat(match)
        assert (first.seat, again.seat) == (0, 0)
        assert await count(carol, match.match_id) == 2
        assert (await dave.take_seat(match)).seat == 1
        with pytest.raises(Exception, match="no seat is open"):
            await erin.take_seat(match)


async def test_c18_a_resignation_delivered_three_times_is_one(suite: Reachable) -> None:
    async with table(suite, backgammon(points=7)) as at:
        alice, bob = at.clients[0], at.clients[1]
        seen = alice.receipts[at.match_id]
        for _ in range(3):
            await alice.act(at.match_id, 0, RESIGN_ALL, request_id="resign", seen=seen)
        await bob.get_match(at.match_id)
        await bob.act(at.match_id, 1, action_pb2.Action(accept=action_pb2.Accept()))
        match = await bob.get_match(at.match_id)
        assert [own.numerator for own in match.summary.score] == [0, 3]


async def test_s15_nobody_acts_for_another_seat(suite: Reachable) -> None:
    async with table(suite) as at:
        before = await count(at.clients[0], at.match_id)
        for action in (ROLL, RESIGN_ALL):
            with pytest.raises(NotYourSeat):
                await at.clients[0].act(at.match_id, 1, action)
        assert await count(at.clients[0], at.match_id) == before


async def test_what_the_law_refuses_names_the_rule_and_leaves_no_event(suite: Reachable) -> None:
    async with table(suite) as at:
        before = await count(at.clients[0], at.match_id)
        play = action_pb2.Action(play=action_pb2.MakePlay(text="8/5 6/5"))
        with pytest.raises(AgainstTheLaw) as refused:
            await at.clients[0].act(at.match_id, 0, play)
        assert refused.value.metadata["rule"] == "1.7"
        assert await count(at.clients[0], at.match_id) == before


async def test_a_client_never_names_its_dice(suite: Reachable) -> None:
    async with table(suite) as at:
        loaded = action_pb2.Action(roll=action_pb2.Roll(dice=[6, 6]))
        with pytest.raises(Malformed) as refused:
            await at.clients[0].act(at.match_id, 0, loaded)
        assert [fault.field for fault in refused.value.fields] == ["action.roll.dice"]


async def test_who_has_seen_what_the_store_does_not_have_is_told_of_data_loss(suite: Reachable) -> None:
    async with table(suite) as at:
        head = at.clients[0].receipts[at.match_id]
        for seen in (Receipt(head.sequence + 5), Receipt(head.sequence, bytes(32))):
            with pytest.raises(StoreRewound):
                await at.clients[0].act(at.match_id, 0, ROLL, seen=seen)


async def test_c26_a_finished_match_takes_no_roll_also_after_a_restart(own_suite: Suite) -> None:
    async with table(own_suite, backgammon(points=1)) as at:
        await at.play()
        own_suite.restart("match")
        with pytest.raises(Closed):
            await at.clients[0].act(at.match_id, 0, ROLL, seen=at.clients[0].receipts[at.match_id])
