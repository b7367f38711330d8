"""TLS by files: certificates that change while a server runs, and authorities that callers believe."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.shell.certificates import Authority
from tests.shell.echo import Echo, Notes, add_echo, policy

from gammon_shell import health_probe
from gammon_shell.config import CallerConfig, RoleConfig
from gammon_shell.dialling import open_channel
from gammon_shell.errors import RefusedToStart
from gammon_shell.identity import SigningKey
from gammon_shell.server import RoleServer
from gammon_shell.tls import CertificateFiles, authority_credentials

# A connection of its own for each channel, so that each shakes hands.
ALONE = (("grpc.use_local_subchannel_pool", 1),)


@contextlib.asynccontextmanager
async def serving(key: SigningKey, files: tuple[Path, Path], notes: Notes | None = None) -> AsyncIterator[int]:
    config = RoleConfig(tls_certificate=files[0], tls_key=files[1])
    server = await RoleServer.start(config, policy(key), lambda server: add_echo(server, notes), {})
    try:
        yield server.port
    finally:
        await server.stop(0)


@contextlib.asynccontextmanager
async def calling(port: int, key: SigningKey, ca: Path, host: str = "localhost") -> AsyncIterator[Echo]:
    async with grpc.aio.secure_channel(f"{host}:{port}", authority_credentials(ca), options=ALONE) as channel:
        yield Echo(channel, key)


async def answers(port: int, key: SigningKey, ca: Path) -> bool:
    async with calling(port, key, ca) as echo:
        try:
            return (await echo.say("hello", timeout=5)).name == "hello"
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.UNAVAILABLE:
                return False
            raise


async def test_tls_is_spoken_with_a_certificate_and_nothing_else(key: SigningKey, tmp_path: Path) -> None:
    authority, other = Authority(tmp_path), Authority(tmp_path, "other")
    async with serving(key, authority.issue()) as port:
        assert await answers(port, key, authority.file)
        assert not await answers(port, key, other.file)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            with pytest.raises(grpc.aio.AioRpcError):
                await Echo(channel, key).say("hello", timeout=2)
        probe = ["--target", f"127.0.0.1:{port}", "--ca", str(authority.file)]
        assert await asyncio.to_thread(health_probe.main, [*probe, "--name", "localhost"]) == 0
        assert await asyncio.to_thread(health_probe.main, [*probe, "--name", "elsewhere"]) == 1


async def test_a_new_certificate_is_shown_without_a_restart_and_breaks_no_call(key: SigningKey, tmp_path: Path) -> None:
    old, new = Authority(tmp_path, "old"), Authority(tmp_path, "new")
    notes = Notes()
    async with serving(key, old.issue("server"), notes) as port, calling(port, key, old.file) as before:
        watch = before.count("sleep", number=1)
        assert (await watch.read()).number == 0
        new.issue("server")
        assert await answers(port, key, new.file)
        assert not await answers(port, key, old.file)
        assert (await before.say("still here")).name == "still here"
        assert not watch.done()
        watch.cancel()


async def test_what_does_not_fit_is_not_taken(key: SigningKey, tmp_path: Path, log: list[Any]) -> None:
    authority = Authority(tmp_path)
    certificate, private = authority.issue("server")
    other_certificate, other_private = authority.issue("other")
    good = certificate.read_bytes(), private.read_bytes()
    async with serving(key, (certificate, private)) as port:
        # Only half of it replaced so far, then rubbish, then gone; and each says so once, not at each handshake.
        certificate.write_bytes(other_certificate.read_bytes())
        assert await answers(port, key, authority.file)
        assert await answers(port, key, authority.file)
        private.write_bytes(b"rubbish")
        assert await answers(port, key, authority.file)
        private.write_bytes(other_private.read_bytes())
        assert await answers(port, key, authority.file)
        certificate.unlink()
        assert await answers(port, key, authority.file)
        assert await answers(port, key, authority.file)
        certificate.write_bytes(good[0])
        private.write_bytes(good[1])
        assert await answers(port, key, authority.file)
    told = [event["event"] for event in log if event["event"].startswith("certificate")]
    kept, taken = "certificate not taken, the old one is kept", "certificate taken"
    assert told == [kept, kept, taken, kept, taken]
    assert not any(b"rubbish".decode() in str(event) for event in log)


@pytest.mark.parametrize(
    ("broken", "content", "told"),
    [
        (0, None, "No such file"),
        (1, None, "No such file"),
        (0, b"rubbish", "no certificate in PEM"),
        (1, b"rubbish", "no private key in PEM"),
    ],
)
def test_files_that_do_not_fit_are_refused_at_the_start(
    tmp_path: Path, broken: int, content: bytes | None, told: str
) -> None:
    files = Authority(tmp_path).issue()
    if content is None:
        files[broken].unlink()
    else:
        files[broken].write_bytes(content)
    with pytest.raises(RefusedToStart, match="GAMMON_TLS_CERTIFICATE") as refused:
        CertificateFiles(*files)
    assert told in str(refused.value)
    assert "rubbish" not in str(refused.value)


def test_a_key_of_another_certificate_is_refused(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    certificate, _ = authority.issue("one")
    _, key = authority.issue("two")
    with pytest.raises(RefusedToStart, match="is not the key of"):
        CertificateFiles(certificate, key)


def test_an_authority_is_a_certificate(tmp_path: Path) -> None:
    with pytest.raises(RefusedToStart, match="No such file"):
        authority_credentials(tmp_path / "none.pem")
    (tmp_path / "rubbish.pem").write_text("rubbish")
    with pytest.raises(RefusedToStart, match="no certificate in PEM"):
        authority_credentials(tmp_path / "rubbish.pem")


async def test_a_role_calls_another_with_tls(key: SigningKey, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    config = CallerConfig(service_token_file=tmp_path / "token", tls_ca=authority.file)
    async with serving(key, authority.issue()) as port:
        for host in ("localhost", "127.0.0.1"):
            async with open_channel(config, "GAMMON_RULES_TARGET", f"{host}:{port}") as channel:
                assert (await Echo(channel, key).say("hello")).name == "hello"


async def test_a_token_leaves_the_machine_in_plaintext_only_when_asked(tmp_path: Path) -> None:
    config = CallerConfig(service_token_file=tmp_path / "token")
    for target in ("rules:7001", "192.0.2.7:7001", "[2001:db8::1]:7001"):
        with pytest.raises(RefusedToStart, match=r"GAMMON_RULES_TARGET is .*: set GAMMON_TLS_CA, or GAMMON_PLAINTEXT"):
            open_channel(config, "GAMMON_RULES_TARGET", target)
        asked = CallerConfig(service_token_file=tmp_path / "token", plaintext=True)
        await open_channel(asked, "GAMMON_RULES_TARGET", target).close()
    for target in ("127.0.0.1:7001", "localhost:7001", "[::1]:7001"):
        await open_channel(config, "GAMMON_RULES_TARGET", target).close()
