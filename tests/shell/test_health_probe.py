"""The health check of containers, against a server of this process."""

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
from tests.shell.echo import SERVICE, Notes, add_echo, policy

from gammon_shell import health_probe
from gammon_shell.config import RoleConfig
from gammon_shell.identity import SigningKey
from gammon_shell.server import RoleServer


@pytest.fixture
async def server(key: SigningKey, notes: Notes) -> AsyncIterator[tuple[RoleServer, list[bool]]]:
    """A server, and whether it is well."""
    verdict = [True]

    async def well() -> bool:
        return verdict[0]

    running = await RoleServer.start(RoleConfig(), policy(key), lambda server: add_echo(server, notes), {SERVICE: well})
    yield running, verdict
    await running.stop(0)


async def probed(target: str) -> int:
    return await asyncio.to_thread(health_probe.main, ["--target", target])


async def test_it_says_what_the_server_says(
    server: tuple[RoleServer, list[bool]], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    running, verdict = server
    target = f"127.0.0.1:{running.port}"
    async with asyncio.timeout(5):
        while await probed(target) != 0:
            await asyncio.sleep(0.05)
    monkeypatch.setenv("GAMMON_PORT", str(running.port))
    assert await asyncio.to_thread(health_probe.main, []) == 0
    capsys.readouterr()
    verdict[0] = False
    async with asyncio.timeout(5):
        while await probed(target) == 0:
            await asyncio.sleep(0.05)
    assert capsys.readouterr().err == f"{target}: NOT_SERVING\n"


async def test_nobody_there_is_not_healthy(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        target = f"127.0.0.1:{taken.getsockname()[1]}"
        assert await probed(target) == 1
    assert capsys.readouterr().err == f"{target}: UNAVAILABLE\n"


async def test_who_does_not_answer_is_not_healthy(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health_probe, "WITHIN_S", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        target = f"127.0.0.1:{silent.getsockname()[1]}"
        assert await probed(target) == 1
    assert capsys.readouterr().err == f"{target}: DEADLINE_EXCEEDED\n"
