"""A role's server, in this process and as a process of its own."""

import asyncio
import json
import signal
import socket
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from tests.shell.conftest import Opened
from tests.shell.echo import SERVICE, Echo, Notes, add_echo, policy
from tests.shell.processes import end, environment, module, role_environment

from gammon_shell import server as shell_server
from gammon_shell.config import RoleConfig
from gammon_shell.errors import RefusedToStart
from gammon_shell.identity import SigningKey
from gammon_shell.server import RoleServer

Status = health_pb2.HealthCheckResponse
ECHO = "tests.shell.echo_role"


async def status(channel: grpc.aio.Channel, service: str = "") -> int:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    answer = await stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=5, wait_for_ready=True)
    return int(answer.status)


async def becomes(channel: grpc.aio.Channel, wanted: int, service: str = "", within_s: float = 5.0) -> None:
    async with asyncio.timeout(within_s):
        while await status(channel, service) != wanted:
            await asyncio.sleep(0.02)


def ready(process: Any) -> int:
    told = json.loads(process.stdout.readline())
    assert told["role"] == "echo"
    port: int = told["port"]
    return port


async def test_health_follows_the_probes_without_credentials(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell_server, "PROBE_EVERY_S", 0.02)
    monkeypatch.setattr(shell_server, "PROBE_TIMEOUT_S", 0.1)
    answers: list[Any] = [False]

    async def probe() -> bool:
        match answers[0]:
            case "raise":
                raise ConnectionError("away")
            case "hang":
                await asyncio.sleep(60)
        return bool(answers[0])

    async with opened(probe=probe) as echo:
        assert await status(echo.channel) == Status.NOT_SERVING
        for answer in (True, False, True, "raise", True, "hang", True):
            answers[0] = answer
            wanted = Status.SERVING if answer is True else Status.NOT_SERVING
            await becomes(echo.channel, wanted)
            await becomes(echo.channel, wanted, SERVICE)


async def test_nothing_is_healthy_before_it_was_asked(opened: Opened) -> None:
    asked = asyncio.Event()

    async def probe() -> bool:
        await asked.wait()
        return True

    async with opened(probe=probe) as echo:
        assert await status(echo.channel) == await status(echo.channel, SERVICE) == Status.NOT_SERVING
        asked.set()
        await becomes(echo.channel, Status.SERVING)


async def test_reflection_is_off_unless_asked_for(opened: Opened) -> None:
    request = reflection_pb2.ServerReflectionRequest(list_services="")

    async def services(echo: Echo) -> set[str]:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(echo.channel)  # type: ignore[arg-type]
        call = stub.ServerReflectionInfo(iter([request]), timeout=5)
        return {service.name async for answer in call for service in answer.list_services_response.service}

    async with opened() as echo:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await services(echo)
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
    async with opened(reflection=True) as echo:
        assert {SERVICE, "grpc.health.v1.Health"} <= await services(echo)


async def test_messages_and_metadata_are_limited(opened: Opened) -> None:
    async with opened(most_message_bytes=1000) as echo:
        assert (await echo.say("x" * 900)).name == "x" * 900
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await echo.say("x" * 1100)
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await echo.say(metadata=(*echo.metadata(), ("x-large", "x" * 20_000)))
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_no_more_streams_on_a_connection_than_allowed(opened: Opened, notes: Notes) -> None:
    async with opened(most_streams=2) as echo:
        held = [echo.count("sleep", number=1) for _ in range(2)]
        for call in held:
            assert (await call.read()).number == 0
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await echo.say(timeout=0.3)
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        held[0].cancel()
        await echo.say(timeout=5)
        held[1].cancel()


async def test_a_port_that_is_taken_is_refused(key: SigningKey) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(RefusedToStart, match=f"cannot listen on 127.0.0.1:{port}"):
            await RoleServer.start(RoleConfig(port=port), policy(key), add_echo, {})


async def test_two_servers_never_share_a_port(opened: Opened, key: SigningKey) -> None:
    first = await RoleServer.start(RoleConfig(), policy(key), add_echo, {})
    try:
        with pytest.raises(RefusedToStart, match="cannot listen"):
            await RoleServer.start(RoleConfig(port=first.port), policy(key), add_echo, {})
    finally:
        await first.stop(0)


async def test_an_open_address_is_refused_before_it_listens(key: SigningKey) -> None:
    with pytest.raises(RefusedToStart, match="GAMMON_PLAINTEXT"):
        await RoleServer.start(RoleConfig(host="0.0.0.0"), policy(key), add_echo, {})


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_role_ends_calls_and_stops_in_time(tmp_path: Path, key: SigningKey, number: int) -> None:
    with module(ECHO, env=role_environment(tmp_path, key)) as process:
        port = ready(process)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            echo = Echo(channel, key)
            await becomes(channel, Status.SERVING)
            napping = asyncio.create_task(echo.say("nap"))
            endless = echo.count("sleep", number=1)
            assert (await endless.read()).number == 0
            code, took, log = await asyncio.to_thread(end, process, number)
            assert (await napping).name == "nap"  # in progress, so it is ended properly
            with pytest.raises(grpc.aio.AioRpcError):
                await endless.read()  # would not end in time, so it is cut
    assert code == 0
    assert took < 2.0
    lines = [json.loads(line) for line in log.splitlines()]
    assert [line["event"] for line in lines if line["event"] != "call"] == ["serving", "health", "stopped"]
    assert {line["role"] for line in lines} == {"echo"}


async def test_a_role_tells_that_what_it_needs_is_away(tmp_path: Path, key: SigningKey) -> None:
    well = tmp_path / "well"
    with module(ECHO, env=role_environment(tmp_path, key) | {"GAMMON_WELL_FILE": str(well)}) as process:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{ready(process)}") as channel:
            await becomes(channel, Status.NOT_SERVING)
            well.touch()
            await becomes(channel, Status.SERVING)
            well.unlink()
            await becomes(channel, Status.NOT_SERVING, SERVICE)


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({}, "GAMMON_AUTH_PUBLIC_KEY is not set"),
        ({"GAMMON_AUTH_PUBLIC_KEY": "/none"}, "GAMMON_AUTH_PUBLIC_KEY: No such file"),
        ({"GAMMON_AUTH_PUBLIC_KEY": __file__}, "no public key in PEM"),
        ({"GAMMON_PORT": "high"}, "GAMMON_PORT"),
    ],
)
def test_a_role_refuses_to_start_with_one_sentence(variables: dict[str, str], told: str) -> None:
    """Cases S21: without a secret there is no start."""
    with module(ECHO, env=environment(**variables)) as process:
        _, err = process.communicate(timeout=20)
    assert process.returncode == 2
    assert err.startswith("refused to start: ")
    assert told in err
    assert err.count("\n") == 1


async def test_no_secret_is_logged_however_the_role_is_asked(tmp_path: Path, key: SigningKey) -> None:
    """Cases S20: good and bad credentials, an error with a secret in it, all at debug."""
    with module(ECHO, env=role_environment(tmp_path, key) | {"GAMMON_LOG_LEVEL": "debug"}) as process:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{ready(process)}") as channel:
            echo = Echo(channel, key)
            good, stranger = echo.token(), SigningKey.make().token("x", ["writer"], "tests", "echo")
            for token in (good, stranger):
                for name in ("log", "crash"):
                    told = await asyncio.gather(
                        echo.say(name, metadata=(("authorization", f"Bearer {token}"),)), return_exceptions=True
                    )
                    assert "Traceback" not in repr(told)
        code, _, log = await asyncio.to_thread(end, process)
    assert code == 0
    for token in (good, stranger):
        assert token.split(".")[1] not in log
        assert token.split(".")[2] not in log
    lines = [json.loads(line) for line in log.splitlines()]
    made = [line for line in lines if line["event"] == "call"]
    assert [line["code"] for line in made] == ["OK", "INTERNAL", "UNAUTHENTICATED", "UNAUTHENTICATED"]
    assert "Traceback" in made[1]["exception"]
    (inside,) = [line for line in lines if line["event"] == "inside"]
    assert (inside["call_id"], inside["name"]) == (made[0]["call_id"], "log")


def test_without_uvloop_a_role_runs_as_well(tmp_path: Path, key: SigningKey) -> None:
    (tmp_path / "uvloop.py").write_text("raise ImportError\n")
    env = role_environment(tmp_path, key)
    env["PYTHONPATH"] = f"{tmp_path}:{env['PYTHONPATH']}"
    with module(ECHO, env=env) as process:
        ready(process)
        code, took, _ = end(process)
    assert code == 0
    assert took < 2.0
