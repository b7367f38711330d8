"""Fixtures of the shell's tests: an echo service in this process, and its log."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import grpc
import pytest
import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.shell.echo import SERVICE, Echo, Notes, add_echo, policy
from tests.shell.key_address import KeyAddress, jwk

from gammon_shell.config import RoleConfig
from gammon_shell.identity import SigningKey
from gammon_shell.policy import Policy
from gammon_shell.server import Probe, RoleServer

Opened = Callable[..., AbstractAsyncContextManager[Echo]]


@pytest.fixture(scope="session")
def key() -> SigningKey:
    """The key that the service believes."""
    return SigningKey.make()


@pytest.fixture
def log() -> Iterator[list[Any]]:
    """The log's events, without those of the server itself."""
    with structlog.testing.capture_logs() as events:
        yield events


@pytest.fixture
def notes() -> Notes:
    """What the handlers saw."""
    return Notes()


@pytest.fixture
def opened(key: SigningKey, notes: Notes) -> Opened:
    """Opens an echo service, with a policy of one's own if need be."""

    async def well() -> bool:
        return True

    @asynccontextmanager
    async def open_echo(own: Policy | None = None, probe: Probe = well, **config: Any) -> AsyncIterator[Echo]:
        server = await RoleServer.start(
            RoleConfig(**config), own or policy(key), lambda server: add_echo(server, notes), {SERVICE: probe}
        )
        try:
            async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
                yield Echo(channel, key)
        finally:
            await server.stop(0)

    return open_echo


@pytest.fixture
async def echo(opened: Opened) -> AsyncIterator[Echo]:
    """An echo service."""
    async with opened() as client:
        yield client


@pytest.fixture
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy between this machine and itself."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture
def first() -> Ed25519PrivateKey:
    """The key that an address has."""
    return Ed25519PrivateKey.generate()


@pytest.fixture
def second() -> Ed25519PrivateKey:
    """The key that it gets."""
    return Ed25519PrivateKey.generate()


@pytest.fixture
def address(no_proxy: None, first: Ed25519PrivateKey) -> Iterator[KeyAddress]:
    """An address of keys with the first one."""
    address = KeyAddress(jwk("first", first.public_key()))
    yield address
    address.close()
