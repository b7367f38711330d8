"""A role whose keys are at an address: what address it takes, its calls when keys turn over, its start and its end."""

import time
from pathlib import Path

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.shell.conftest import Opened
from tests.shell.echo import AUDIENCE, DOMAIN, ISSUER, ROLES, Echo
from tests.shell.key_address import UNKNOWN, KeyAddress, jwk, signed
from tests.shell.processes import environment, module

from gammon_shell.config import RoleConfig
from gammon_shell.errors import RefusedToStart, read_error
from gammon_shell.jwks import JwksKeys
from gammon_shell.policy import key_source, policy_of


@pytest.mark.parametrize(
    "url",
    [
        "http://keys.example/jwks",
        "http://192.0.2.7/jwks",
        "ftp://127.0.0.1/jwks",
        "file:///etc/passwd",
        "https://",
        "keys.example",
        "https://[::1/jwks",
        "https://user:hunter2@keys.example/jwks",
    ],
)
def test_an_address_that_others_can_change_is_refused(url: str) -> None:
    with pytest.raises(RefusedToStart, match="GAMMON_AUTH_JWKS_URL") as refused:
        key_source(RoleConfig(auth_jwks_url=url))
    assert "hunter2" not in str(refused.value)


def test_keys_are_of_a_file_or_of_an_address(tmp_path: Path) -> None:
    both = RoleConfig(auth_jwks_url="https://keys.example/jwks", auth_public_key=tmp_path / "key.pem")
    with pytest.raises(RefusedToStart, match="are both set"):
        key_source(both)
    with pytest.raises(RefusedToStart, match=r"GAMMON_AUTH_PUBLIC_KEY is not set.*GAMMON_AUTH_JWKS_URL"):
        key_source(RoleConfig())
    for url in ("https://keys.example/jwks", "http://127.0.0.1:8080/jwks", "http://[::1]/jwks", "http://localhost/k"):
        assert isinstance(key_source(RoleConfig(auth_jwks_url=url)), JwksKeys)


async def test_a_call_with_a_new_key_is_served_at_once(
    address: KeyAddress, first: Ed25519PrivateKey, second: Ed25519PrivateKey, opened: Opened
) -> None:
    """Over gRPC: the keys are turned over, and nobody is sent away for it."""
    config = RoleConfig(auth_jwks_url=address.url, auth_issuer=ISSUER, auth_audience=AUDIENCE)

    def metadata(key: Ed25519PrivateKey, kid: str) -> tuple[tuple[str, str], ...]:
        return (("authorization", signed(key, kid)),)

    async def refused(echo: Echo, key: Ed25519PrivateKey, kid: str) -> str:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await echo.say(metadata=metadata(key, kid))
        told = read_error(caught.value)
        assert (told.code, told.reason) == (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED")
        return told.metadata["fault"]

    async with opened(policy_of(config, DOMAIN, ROLES)) as echo:
        assert (await echo.say("who", metadata=metadata(first, "first"))).name == "anna ['writer']"
        address.publish(jwk("second", second.public_key()))
        assert (await echo.say("who", metadata=metadata(second, "second"))).name == "anna ['writer']"
        assert await refused(echo, first, "first") == UNKNOWN
        requests = address.requests
        for kid in ("x", "y", "z"):
            assert await refused(echo, first, kid) == UNKNOWN
        assert address.requests == requests == 2


def test_a_role_without_keys_says_so_in_one_line() -> None:
    with module("tests.shell.echo_role", env=environment(GAMMON_AUTH_JWKS_URL="http://keys.example/jwks")) as process:
        _, err = process.communicate(timeout=20)
    assert process.returncode == 2
    assert err == "refused to start: GAMMON_AUTH_JWKS_URL is not https://…, and http is for loopback only\n"


def test_a_role_stops_in_time_while_the_address_does_not_answer(address: KeyAddress) -> None:
    env = environment(
        GAMMON_AUTH_JWKS_URL=address.url,
        GAMMON_AUTH_ISSUER=ISSUER,
        GAMMON_AUTH_AUDIENCE=AUDIENCE,
        GAMMON_AUTH_JWKS_REFRESH_S="0.05",
    )
    with module("tests.shell.echo_role", env=env) as process:
        assert process.stdout is not None
        process.stdout.readline()
        address.held.clear()
        requests = address.requests
        deadline = time.monotonic() + 5
        while address.requests == requests:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        stopped_at = time.monotonic()
        process.terminate()
        _, err = process.communicate(timeout=10)
        assert time.monotonic() - stopped_at < 2.0
    assert process.returncode == 0
    assert "Traceback" not in err
