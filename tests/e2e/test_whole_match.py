"""A match through all services: played, read back at any batch end, audited."""

import asyncio

import pytest
from tests.e2e.play import audited, backgammon, clients, table
from tests.e2e.reach import Reachable

from gammon.match.v1 import events_pb2, settings_pb2
from gammon_client.errors import LedgerError, Malformed, NoBatchEnd, Unsupported
from gammon_client.match_client import MatchClient


async def test_a_bot_match_is_played_to_its_end_and_audited(suite: Reachable) -> None:
    async with table(suite, backgammon(points=5)) as at:
        match = await at.play()
        assert match.status == events_pb2.MATCH_STATUS_CLOSED
        assert max(own.numerator for own in match.summary.result.score) >= 5
        report = await audited(at.clients[0], at.match_id)
        assert report.first_wrong is None, report
        open_ends = {check.name for check in report.checks if check.verdict.value == "NOT CHECKED"}
        assert open_ends == {"dice", "actors"}


async def test_every_batch_end_can_be_read_and_nothing_between(suite: Reachable) -> None:
    async with table(suite, backgammon(points=1)) as at:
        await at.play()
        reader = at.clients[0]
        events = (await reader.list_events(at.match_id)).events
        for event in events:
            end = events_pb2.Envelope.FromString(event.envelope)
            if end.HasField("batch_end"):
                then = await reader.get_match(at.match_id, event.sequence)
                assert (then.state, then.head.hash) == (end.batch_end.state, event.hash)
            else:
                with pytest.raises(NoBatchEnd):
                    await reader.get_match(at.match_id, event.sequence)


async def test_matches_are_listed(suite: Reachable) -> None:
    async with clients(suite, "lister") as (lister,):
        made = {(await lister.create_match(backgammon())).match_id for _ in range(5)}
        listed = [listing.match_id async for listing in lister.list_matches()]
        assert made <= set(listed)
        assert listed == sorted(set(listed))


async def test_all_faults_of_a_request_come_at_once(suite: Reachable) -> None:
    async with clients(suite, "alice") as (alice,):
        settings = backgammon()
        settings.source_sha256 = b"x"
        settings.rules_version = "7"
        settings.tags.append("two words")
        with pytest.raises(Malformed) as refused:
            await alice.create_match(settings, request_id="not ok")
        fields = {fault.field for fault in refused.value.fields}
        assert fields == {"request_id", "settings.source_sha256", "settings.rules_version", "settings.tags[0]"}


async def test_what_is_not_served_yet_is_refused_with_its_field(suite: Reachable) -> None:
    async with clients(suite, "alice") as (alice,):
        settings = backgammon()
        settings.dice = settings_pb2.DICE_SOURCE_BGD1
        with pytest.raises(Unsupported) as refused:
            await alice.create_match(settings)
        assert {fault.field for fault in refused.value.fields} == {"settings.dice"}


@pytest.mark.parametrize(("game", "seats"), [(2, 2), (3, 2), (4, 2), (5, 2), (2, 3), (2, 4)])
async def test_bots_play_every_game_to_its_end_and_the_audit_agrees(suite: Reachable, game: int, seats: int) -> None:
    settings = backgammon(points=2)
    settings.rules.game = game  # type: ignore[assignment]
    settings.rules.seats = seats
    if seats > 2:
        settings.rules.session.games = 2
    async with table(suite, settings) as at:
        end = await at.play()
        assert end.status == events_pb2.MATCH_STATUS_CLOSED
        report = await audited(at.clients[0], at.match_id)
        assert report.first_wrong is None, report


async def test_who_has_no_role_or_no_token_gets_nowhere(suite: Reachable) -> None:
    async with suite.channel() as channel:
        for token, reason in ((suite.token("eve", "spectator"), "ROLE_REQUIRED"), ("rubbish", "UNAUTHENTICATED")):
            with pytest.raises(LedgerError) as refused:
                await MatchClient(channel, token).create_match(backgammon())
            assert refused.value.reason == reason


async def test_forty_matches_at_once(suite: Reachable) -> None:
    async def one() -> str:
        async with table(suite, backgammon(points=1)) as at:
            await at.play()
            report = await audited(at.clients[0], at.match_id)
            assert report.first_wrong is None, report
            return report.verdict

    assert set(await asyncio.gather(*(one() for _ in range(40)))) == {"INCOMPLETE"}
