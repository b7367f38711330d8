"""A client against a service that limits it: rates, the age of connections, TLS."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.client.scripted_match_service import MATCH, Running, ScriptedMatchService
from tests.shell.certificates import Authority

from gammon_client.calls import Patience, open_channel
from gammon_client.errors import ConnectionLost, RateLimited
from gammon_client.match_client import MatchClient
from gammon_shell.errors import RefusedToStart, Rejection

# Old after 0.3 s and dead 0.3 s later.
AGEING = (("grpc.max_connection_age_ms", 300), ("grpc.max_connection_age_grace_ms", 300))


def rate_limited(again_ms: str) -> Rejection:
    told = {"limit": "10 calls/s", "retry_after_ms": again_ms}
    return Rejection(grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED", "too many calls", told)


@asynccontextmanager
async def served(**how: Any) -> AsyncIterator[Running]:
    running = Running(ScriptedMatchService(), **how)  # type: ignore[abstract]
    await running.start()
    try:
        yield running
    finally:
        await running.stop()


@asynccontextmanager
async def called(running: Running, budget_s: float = 5.0) -> AsyncIterator[MatchClient]:
    async with open_channel(f"127.0.0.1:{running.port}") as channel:
        yield MatchClient(channel, "ticket", Patience(deadline_s=2.0, budget_s=budget_s))


async def test_who_is_over_the_rate_waits_as_long_as_is_told_and_asks_again() -> None:
    async with served() as running, called(running) as client:
        running.service.refusals = [rate_limited("300")]
        clock = asyncio.get_running_loop().time
        started = clock()
        await client.get_match(MATCH)
        assert clock() - started >= 0.3
        first, second = running.service.requests
        assert first == second


async def test_a_wait_beyond_the_budget_is_not_begun() -> None:
    async with served() as running, called(running, budget_s=0.5) as client:
        running.service.refusals = [rate_limited("60000")]
        with pytest.raises(RateLimited) as caught:
            await asyncio.wait_for(client.get_match(MATCH), 2.0)
        assert caught.value.retry_after_s == 60.0
        assert len(running.service.requests) == 1


@pytest.mark.parametrize("told", ["", "soon", "-5"])
async def test_a_limit_that_tells_no_time_is_waited_for_like_an_absence(told: str) -> None:
    async with served() as running, called(running) as client:
        running.service.refusals = [rate_limited(told)]
        await client.get_match(MATCH)
        assert len(running.service.requests) == 2


async def test_a_watch_that_is_one_too_many_is_opened_when_it_may() -> None:
    async with served() as running, called(running) as client:
        running.service.refusals = [rate_limited("200")]
        assert [event.sequence async for event in client.watch_match(MATCH)] == [1, 2, 3, 4, 5]
        assert len(running.service.requests) == 2


async def test_a_watch_goes_on_over_connections_that_grow_old() -> None:
    """Two seconds of events over connections that live for 0.6 s: each comes once and in order."""
    async with served(options=AGEING) as running, called(running) as client:
        running.service.last_sequence, running.service.every_s = 100, 0.02
        assert [event.sequence async for event in client.watch_match(MATCH)] == list(range(1, 101))
        assert len(running.service.requests) >= 3


async def test_calls_do_not_notice_that_a_connection_grows_old() -> None:
    async with served(options=AGEING) as running, called(running) as client:
        for _ in range(200):
            await client.get_match(MATCH)
            await asyncio.sleep(0.005)
        assert len(running.service.requests) == 200, "some were asked again"


async def test_tls_with_an_authority(tmp_path: Path) -> None:
    authority, other = Authority(tmp_path), Authority(tmp_path, "other")
    patience = Patience(deadline_s=1.0, budget_s=1.0)
    async with served(tls=authority.issue()) as running:
        target = f"127.0.0.1:{running.port}"
        async with open_channel(target, tls_ca=authority.file) as channel:
            assert (await MatchClient(channel, "ticket").get_match(MATCH)).match_id == MATCH
        for ca in (other.file, None):
            async with open_channel(target, tls_ca=ca) as channel:
                with pytest.raises(ConnectionLost):
                    await MatchClient(channel, "ticket", patience).get_match(MATCH)
        with pytest.raises(RefusedToStart, match="certificate of the authority"):
            open_channel(target, tls_ca=tmp_path / "none.pem")
        assert running.service.credentials == ["Bearer ticket"], "a token was shown to a stranger"


async def test_who_watches_a_set_waits_as_long_as_is_told_too() -> None:
    async with served() as running, called(running) as client:
        running.service.refusals = [rate_limited("300")]
        clock = asyncio.get_running_loop().time
        started = clock()
        assert (await anext(client.watch_matches())).match_id == MATCH
        assert clock() - started >= 0.3
        assert len(running.service.requests) == 2
