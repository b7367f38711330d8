"""Finding and watching sets of matches over gRPC: who sees what, pages, and streams across restarts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from secrets import token_hex

import pytest
from grpc import aio
from tests.e2e.play import ROLL, backgammon, clients, table
from tests.e2e.reach import Reachable
from tests.e2e.suite import Suite

from gammon.match.v1 import events_pb2, match_service_pb2_grpc, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import settings_pb2 as rules_pb2
from gammon_client.calls import open_channel
from gammon_client.errors import Malformed
from gammon_client.match_client import MatchClient

WITHIN_S = 30.0


def tagged(tag: str, points: int = 1, *, private: bool = False) -> settings_pb2.MatchSettings:
    """Settings that only this test's matches have the tag of."""
    settings = backgammon(points)
    settings.tags.append(tag)
    settings.private = private
    return settings


@asynccontextmanager
async def client_as(suite: Reachable, subject: str, *roles: str) -> AsyncIterator[MatchClient]:
    """A client with no other roles than these."""
    async with open_channel(suite.target()) as channel:
        yield MatchClient(channel, suite.token(subject, *roles))


async def ids_of(listed: AsyncIterator[pb.MatchListing]) -> list[str]:
    return [listing.match_id async for listing in listed]


async def test_a_listing_says_all_there_is_to_say(suite: Reachable) -> None:
    tag = token_hex(6)
    settings = tagged(tag, points=7)
    settings.tags.append("second")
    settings.rated = True
    settings.seats.extend((settings_pb2.SeatSettings(), settings_pb2.SeatSettings(player=f"bob-{tag}")))
    async with client_as(suite, f"alice-{tag}", "player") as alice:
        match = await alice.create_match(settings)
        [listing] = [listing async for listing in alice.list_matches(tag=tag)]
        assert listing == pb.MatchListing(
            match_id=match.match_id,
            status=events_pb2.MATCH_STATUS_SEATING,
            players=["", f"bob-{tag}"],
            game=rules_pb2.GAME_BACKGAMMON,
            tags=[tag, "second"],
            create_time=match.create_time,
            rated=True,
            length=7,
            creator=f"alice-{tag}",
        )
        await alice.take_seat(match)
        [listing] = [listing async for listing in alice.list_matches(tag=tag)]
        assert list(listing.players) == [f"alice-{tag}", f"bob-{tag}"]


async def test_filters_fit_together(suite: Reachable) -> None:
    tag = token_hex(6)
    alice, bob = f"alice-{tag}", f"bob-{tag}"
    async with client_as(suite, alice, "player") as first, client_as(suite, bob, "player") as second:
        match = await first.create_match(tagged(tag))
        started = match.match_id
        for client in (first, second):
            await client.take_seat(match)
        waiting = (await first.create_match(tagged(tag))).match_id
        created = (await first.get_match(waiting)).create_time.ToDatetime(UTC)
        alone = (await second.create_match(tagged(tag))).match_id

        async def found(**filters: object) -> set[str]:
            return set(await ids_of(first.list_matches(tag=tag, **filters)))  # type: ignore[arg-type]

        assert await found() == {started, waiting, alone}
        assert await found(player=alice) == {started, waiting}
        assert await found(player=bob) == {started, alone}
        assert await found(status=events_pb2.MATCH_STATUS_PLAYING) == {started}
        assert await found(player=bob, status=events_pb2.MATCH_STATUS_SEATING) == {alone}
        assert await found(game=rules_pb2.GAME_TRACKGAMMON) == set()
        assert await found(game=rules_pb2.GAME_BACKGAMMON, created_before=created) == {started}
        assert await found(created_from=created, player=alice) == {waiting}
        assert await found(created_from=datetime(2100, 1, 1, tzinfo=UTC)) == set()


async def test_private_matches_are_listed_to_their_own_and_to_officials(suite: Reachable) -> None:
    tag = token_hex(6)
    settings = tagged(tag, private=True)
    settings.seats.extend(settings_pb2.SeatSettings(player=player) for player in (f"bob-{tag}", f"carol-{tag}"))
    async with client_as(suite, f"alice-{tag}", "player") as alice:
        match_id = (await alice.create_match(settings)).match_id
    for subject, role, sees in (
        ("alice", "player", True),
        ("bob", "player", True),
        ("carol", "player", True),
        ("dave", "player", False),
        ("dave", "spectator", False),
        ("dave", "operator", True),
        ("dave", "auditor", True),
        ("dave", "service", True),
    ):
        async with client_as(suite, f"{subject}-{tag}", role) as looking:
            for listed in (looking.list_matches(tag=tag), looking.list_matches(player=f"carol-{tag}")):
                assert await ids_of(listed) == ([match_id] if sees else []), (subject, role)
            watched = looking.watch_matches(tag=tag)
            first = await anext(watched)
            assert (first.match_id == match_id) == sees, (subject, role)
            await watched.aclose()  # type: ignore[attr-defined]
            async for update in looking.watch_matches():
                assert update.match_id != match_id
                if not update.match_id:
                    break


async def test_pages_while_matches_are_added(suite: Reachable) -> None:
    tag = token_hex(6)
    async with client_as(suite, "maker", "player") as maker, suite.channel() as channel:
        before = {(await maker.create_match(tagged(tag))).match_id for _ in range(25)}
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        metadata = suite.metadata("reader", "spectator")
        listed: list[str] = []
        request = pb.ListMatchesRequest(tag=tag, page_size=4)
        while True:
            page = await stub.ListMatches(request, metadata=metadata)
            assert len(page.matches) <= 4
            listed += [listing.match_id for listing in page.matches]
            request.page_token = page.next_page_token
            if not page.next_page_token:
                break
            await maker.create_match(tagged(tag))
        assert listed == sorted(set(listed))
        assert before <= set(listed)


async def test_what_cannot_be_looked_for_is_refused(suite: Reachable) -> None:
    tag = token_hex(6)
    async with client_as(suite, "maker", "player") as maker, suite.channel() as channel:
        for _ in range(3):
            await maker.create_match(tagged(tag))
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        metadata = suite.metadata("reader", "spectator")
        page = await stub.ListMatches(pb.ListMatchesRequest(tag=tag, page_size=1), metadata=metadata)
        assert page.next_page_token
        for request in (
            pb.ListMatchesRequest(page_size=-1),
            pb.ListMatchesRequest(player="not a reference"),
            pb.ListMatchesRequest(tag="not a tag"),
            pb.ListMatchesRequest(status=9),  # type: ignore[arg-type]
            pb.ListMatchesRequest(page_token="no token"),
            pb.ListMatchesRequest(page_token=page.next_page_token),
            pb.ListMatchesRequest(tag=tag, page_token=page.next_page_token[:-2]),
        ):
            with pytest.raises(aio.AioRpcError) as refused:
                await stub.ListMatches(request, metadata=metadata)
            assert refused.value.code().name == "INVALID_ARGUMENT", request
        with pytest.raises(Malformed):
            await anext(maker.watch_matches(player="not a reference"))


class Heard:
    """What somebody who watches a set was told, the last of each match."""

    def __init__(self, watched: AsyncIterator[pb.WatchMatchesResponse]) -> None:
        self.updates: list[pb.WatchMatchesResponse] = []
        self._watched = watched
        self.task = asyncio.create_task(self._hear())

    async def _hear(self) -> None:
        async for update in self._watched:
            self.updates.append(update)

    def statuses(self, match_id: str) -> list[int]:
        return [update.status for update in self.updates if update.match_id == match_id]

    async def ends_with(self, match_id: str, status: int) -> None:
        async with asyncio.timeout(WITHIN_S):
            while self.statuses(match_id)[-1:] != [status]:
                assert not self.task.done(), self.task.exception()
                await asyncio.sleep(0.02)

    async def heard_all(self) -> None:
        async with asyncio.timeout(WITHIN_S):
            while pb.WatchMatchesResponse() not in self.updates:
                assert not self.task.done(), self.task.exception()
                await asyncio.sleep(0.02)


async def test_a_set_is_watched_and_ones_own_matches_move(suite: Reachable) -> None:
    async with table(suite, backgammon(points=1)) as at, clients(suite, "alice") as (alice,):
        own = Heard(alice.watch_matches(player="alice"))
        lobby = Heard(alice.watch_matches())
        await own.heard_all()
        await lobby.heard_all()
        match = await at.play()
        await own.ends_with(at.match_id, events_pb2.MATCH_STATUS_CLOSED)
        await lobby.ends_with(at.match_id, events_pb2.MATCH_STATUS_CLOSED)
        heads = [update.head.sequence for update in own.updates if update.match_id == at.match_id]
        assert heads == sorted(set(heads))
        assert heads[-1] == match.head.sequence
        assert len(heads) > 10
        assert len(lobby.statuses(at.match_id)) == 2
        for heard in (own, lobby):
            assert heard.updates.count(pb.WatchMatchesResponse()) == 1
            heard.task.cancel()


@pytest.mark.parametrize("roles", [("match",), ("store",), ("store", "match")])
async def test_whoever_watches_hears_on_across_restarts(own_suite: Suite, roles: tuple[str, ...]) -> None:
    async with table(own_suite, backgammon(points=1)) as at, clients(own_suite, "alice") as (alice,):
        heard = [Heard(alice.watch_matches(player="alice")), Heard(alice.watch_matches())]
        await asyncio.gather(*(each.heard_all() for each in heard))
        created = (await alice.create_match(tagged("before"))).match_id
        for role in roles:
            own_suite.kill(role)
        for role in roles:
            own_suite.start_role(role)
        await own_suite.healthy()
        await at.clients[0].act(at.match_id, 0, ROLL)
        after = (await alice.create_match(tagged("after"))).match_id
        await at.play()
        for each in heard:
            for match_id in (created, after):
                await each.ends_with(match_id, events_pb2.MATCH_STATUS_SEATING)
                assert len(each.statuses(match_id)) == 1
            await each.ends_with(at.match_id, events_pb2.MATCH_STATUS_CLOSED)
            each.task.cancel()


async def test_what_ended_while_nobody_was_connected_is_told_on_return(
    own_suite: Suite, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = Suite(tmp_path_factory.mktemp("other"), own_suite.redis_url)
    async with table(own_suite, backgammon(points=1)) as at, clients(own_suite, "alice") as (alice,):
        heard = Heard(alice.watch_matches())
        await heard.heard_all()
        own_suite.kill("match")
        try:
            other.start_role("rules")
            other.start_role("match")
            async with clients(other, "director") as (director,):
                await director.get_match(at.match_id)
                await director.direct_match(at.match_id, pb.CloseRuling(), events_pb2.DIRECTOR_REASON_TECHNICAL)
            own_suite.start_role("match")
            await heard.ends_with(at.match_id, events_pb2.MATCH_STATUS_CLOSED)
        finally:
            other.stop()
        heard.task.cancel()
