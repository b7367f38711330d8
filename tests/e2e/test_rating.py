"""Finished matches are rated exactly once, also when the rating service is killed again and again."""

import asyncio
from random import Random

from tests.e2e.play import audited, backgammon, clients, table
from tests.e2e.reach import Reachable
from tests.e2e.suite import Suite

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb_match
from gammon.rating.v1 import ledger_pb2, rating_service_pb2_grpc
from gammon.rating.v1 import rating_service_pb2 as pb
from gammon_client.match_client import DirectorRuling
from gammon_engine.referee.actions import Forfeit, Scope, VoidGame
from gammon_wire.actions import action_to_proto

KILLS = 50
MATCHES = 60


def rated_match(points: int = 1) -> settings_pb2.MatchSettings:
    settings = backgammon(points)
    settings.rated = True
    return settings


async def entries(suite: Reachable) -> list[ledger_pb2.RatingEntry]:
    async with suite.channel("rating") as channel:
        stub = rating_service_pb2_grpc.RatingServiceStub(channel)
        metadata = suite.metadata("auditor", "auditor")
        found: list[ledger_pb2.RatingEntry] = []
        token = ""
        while True:
            request = pb.ListRatingChangesRequest(page_size=1000, page_token=token)
            page = await stub.ListRatingChanges(request, metadata=metadata, wait_for_ready=True, timeout=10)
            found += [ledger_pb2.RatingEntry.FromString(stored.entry) for stored in page.entries]
            token = page.next_page_token
            if not token:
                return found


async def test_a_match_is_rated_and_the_leader_is_its_winner(own_suite: Suite) -> None:
    async with table(own_suite, rated_match(3)) as at:
        match = await at.play()
        winner = match.seats[match.summary.result.winners[0]].player
        async with asyncio.timeout(10):
            while not (found := await entries(own_suite)):
                await asyncio.sleep(0.05)
        assert [entry.match_id for entry in found] == [at.match_id]
        assert found[0].match_hash == match.head.hash
        async with own_suite.channel("rating") as channel:
            stub = rating_service_pb2_grpc.RatingServiceStub(channel)
            metadata = own_suite.metadata("alice", "player")
            leaders = (await stub.ListLeaders(pb.ListLeadersRequest(), metadata=metadata)).ratings
            assert [leader.place for leader in leaders] == [1, 2]
            assert leaders[0].player == winner
            assert leaders[0].value > 1500 > leaders[1].value
            mine = (await stub.GetRating(pb.GetRatingRequest(player=winner), metadata=metadata)).rating
            assert mine == leaders[0]


async def test_a_match_among_others_is_rated_once(suite: Reachable) -> None:
    async with table(suite, rated_match()) as at:
        match = await at.play()
        async with asyncio.timeout(20):
            while not (found := [entry for entry in await entries(suite) if entry.match_id == at.match_id]):
                await asyncio.sleep(0.1)
        assert [entry.match_hash for entry in found] == [match.head.hash]


async def test_a_game_that_is_taken_back_is_reversed_and_rated_anew(suite: Reachable) -> None:
    settings = rated_match()
    settings.rules.session.games = 3
    async with table(suite, settings) as at, clients(suite, "director") as (director,):

        async def rule(ruling: DirectorRuling, entries_after: int) -> list[str | None]:
            await director.direct_match(at.match_id, ruling, events_pb2.DIRECTOR_REASON_CORRECTION)
            async with asyncio.timeout(20):
                while True:
                    found = [entry for entry in await entries(suite) if entry.match_id == at.match_id]
                    if len(found) >= entries_after:
                        return [entry.WhichOneof("event") for entry in found]
                    await asyncio.sleep(0.1)

        started = (await director.get_match(at.match_id)).head.sequence
        lost, won = (action_to_proto(Forfeit(seat, Scope.GAME, 1)) for seat in (0, 1))
        # A voided game is not rated, and what is played in its place is.
        await rule(action_to_proto(VoidGame()), 0)
        assert await rule(lost, 1) == ["rated"]
        assert await rule(pb_match.TakeBackRuling(to_sequence=started), 2) == ["rated", "reversed"]
        assert await rule(won, 3) == ["rated", "reversed", "rated"]
        report = await audited(at.clients[0], at.match_id)
        assert report.first_wrong is None, report


async def test_kill_9_of_the_rating_service_fifty_times_rates_every_match_once(own_suite: Suite) -> None:
    """Case S8: what a killed reader held comes again, and counts once."""
    random = Random(11)
    done: list[str] = []

    async def play_on() -> None:
        while len(done) < MATCHES:
            async with table(own_suite, rated_match()) as at:
                await at.play()
                done.append(at.match_id)

    playing = [asyncio.create_task(play_on()) for _ in range(2)]
    for _ in range(KILLS):
        await asyncio.sleep(random.uniform(0.0, 0.25))
        own_suite.kill("rating")
        await asyncio.to_thread(own_suite.start_role, "rating")
    await asyncio.gather(*playing)
    async with asyncio.timeout(30):
        while len(found := await entries(own_suite)) < len(done):
            await asyncio.sleep(0.1)
    assert sorted(entry.match_id for entry in found) == sorted(done)
    async with clients(own_suite, "alice") as (alice,):
        for entry in found:
            assert entry.match_hash == (await alice.get_match(entry.match_id)).head.hash
