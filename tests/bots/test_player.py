"""Bots at the table of the real services: alone at a seat, two at one seat, and before the match has started."""

import asyncio

from tests.e2e.play import audited, backgammon, clients, table
from tests.e2e.reach import Reachable

from gammon.match.v1 import events_pb2
from gammon_bots.player import Table, next_seat, play_match, read_table
from gammon_client.errors import Conflict
from gammon_client.match_client import MatchClient


async def test_two_bots_that_know_nothing_of_each_other_finish_a_match(suite: Reachable) -> None:
    async with table(suite, backgammon(points=3)) as at:
        ends = await asyncio.gather(
            *(play_match({seat: client}, at.match_id, look_again_s=0.002) for seat, client in at.clients.items())
        )
        assert [end.status for end in ends] == [events_pb2.MATCH_STATUS_CLOSED] * 2
        assert ends[0].head == ends[1].head
        assert (await audited(at.clients[1], at.match_id)).first_wrong is None


async def test_a_bot_that_is_overtaken_reads_the_match_again(suite: Reachable) -> None:
    overtaken = 0

    class Watched(MatchClient):
        """Counts how often somebody else was first."""

        async def act(self, *args, **kwargs):  # type: ignore[no-untyped-def]
            nonlocal overtaken
            try:
                return await super().act(*args, **kwargs)
            except Conflict:
                overtaken += 1
                raise

    async with table(suite, backgammon(points=3)) as at:
        twins = [{seat: Watched(client.channel, client.token) for seat, client in at.clients.items()} for _ in range(2)]
        ends = await asyncio.gather(*(play_match(twin, at.match_id) for twin in twins))
        assert overtaken > 0, "nobody was overtaken, so nothing was shown"
        assert ends[0].head == ends[1].head
        assert (await audited(at.clients[0], at.match_id)).first_wrong is None


async def test_a_bot_waits_until_all_seats_are_taken(suite: Reachable) -> None:
    async with clients(suite, "early", "late") as (early, late):
        match = await early.create_match(backgammon(points=1))
        match_id = match.match_id
        await early.take_seat(match, 0)
        assert next_seat(read_table(await early.get_match(match_id))) is None
        looked: list[Table] = []
        playing = asyncio.create_task(play_match({0: early}, match_id, look_again_s=0.002, on_look=looked.append))
        while len(looked) < 3:
            await asyncio.sleep(0.002)
        assert all(seen.state is None for seen in looked)
        await late.take_seat(match, 1)
        ends = await asyncio.gather(playing, play_match({1: late}, match_id, look_again_s=0.002))
        assert {end.status for end in ends} == {events_pb2.MATCH_STATUS_CLOSED}


async def test_the_lowest_seat_alone_asks_for_the_opening_throw(suite: Reachable) -> None:
    async with table(suite, backgammon(points=1)) as at:
        assert next_seat(read_table(await at.clients[1].get_match(at.match_id))) == 0
