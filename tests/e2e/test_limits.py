"""What one caller may ask of the real roles: a refused call reads and writes nothing, and nobody else notices."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc import StatusCode
from tests.e2e.play import ROLL, backgammon
from tests.e2e.suite import Suite

from gammon_client.calls import Patience, open_channel
from gammon_client.errors import RateLimited
from gammon_client.match_client import MatchClient

# One call more only after minutes: the bucket stays empty while the test runs.
LIMITS = {"GAMMON_CALLS_PER_S": "0.01", "GAMMON_CALLS_BURST": "4", "GAMMON_STREAMS_PER_CALLER": "1"}
# By role a method that asks for something in its request, and the longest message.
LARGE = {
    "match": ("/gammon.match.v1.MatchService/GetMatch", 256 * 1024),
    "rating": ("/gammon.rating.v1.RatingService/GetRating", 256 * 1024),
    "rules": ("/gammon.rules.v1.RulesService/ReadPlay", 1024 * 1024),
}
READ = {StatusCode.INVALID_ARGUMENT, StatusCode.NOT_FOUND}


class LimitedSuite(Suite):
    """A suite whose match service allows little."""

    def _environment(self, role: str) -> dict[str, str]:
        return super()._environment(role) | (LIMITS if role == "match" else {})


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Suite]:
    suite = LimitedSuite(tmp_path)
    try:
        yield suite.start()
    finally:
        suite.stop()


async def test_a_player_over_the_rate_is_refused_and_nothing_is_stored(limited: Suite) -> None:
    async with open_channel(limited.target()) as channel:
        clients = {
            subject: MatchClient(channel, limited.token(subject, role), Patience(2.0, 2.0))
            for subject, role in (("alice", "player"), ("bob", "player"), ("ops", "operator"))
        }
        alice, bob, ops = clients.values()
        match = await alice.create_match(backgammon())
        match_id = match.match_id
        await alice.take_seat(match)
        await bob.take_seat(match)
        await alice.get_match(match_id)
        await alice.get_match(match_id)
        stored = await ops.list_events(match_id)
        for _ in range(3):
            with pytest.raises(RateLimited) as caught:
                await alice.act(match_id, 0, ROLL)
            assert caught.value.metadata["limit"] == "0.01 calls/s"
            assert 60_000 < int(caught.value.metadata["retry_after_ms"]) <= 100_000
        assert await ops.list_events(match_id) == stored
        # The operator has limits of its own, and bob is not to blame for alice.
        for _ in range(20):
            await ops.get_match(match_id)
        watching = bob.watch_match(match_id)
        assert (await anext(watching)).sequence == 1
        with pytest.raises(RateLimited) as caught:
            await anext(MatchClient(channel, limited.token("bob", "player"), Patience(0.2, 0.2)).watch_match(match_id))
        assert caught.value.metadata["limit"] == "1 streams"
        await watching.aclose()


async def test_a_message_longer_than_any_command_is_refused(own_suite: Suite) -> None:
    """Each role reads what is just within its limit, and refuses a little more unread."""
    for role, (method, limit) in LARGE.items():
        async with own_suite.channel(role) as channel:
            call: Any = channel.unary_unary(method)
            for size, codes in ((limit - 100, READ), (limit + 1, {StatusCode.RESOURCE_EXHAUSTED})):
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await call(unknown_field(size), metadata=own_suite.metadata("anna", "player"), timeout=10)
                assert caught.value.code() in codes, (role, size)


def unknown_field(size: int) -> bytes:
    """A message of so many bytes that says nothing: one field of a number that nobody has."""
    # Field 1000, length-delimited: the key 8002 as a varint, then the length as one of four bytes.
    length = size - 6
    varint = bytes([length & 127 | 128, length >> 7 & 127 | 128, length >> 14 & 127 | 128, length >> 21])
    return b"\xc2\x3e" + varint + bytes(length)
