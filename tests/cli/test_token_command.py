"""`gammon token`: who it makes somebody, for how long, and what it says when it cannot."""

import json
import time
from datetime import UTC, datetime
from pathlib import Path

import jwt
import pytest
from tests.cli.command import gammon, running_up

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_cli.endpoints import read_endpoints
from gammon_client.calls import open_channel
from gammon_client.errors import LedgerError, MatchNotFound, RoleRequired, Unauthenticated
from gammon_client.match_client import MatchClient, Receipt
from gammon_shell import key as key_tool
from gammon_shell.config import RoleConfig
from gammon_shell.identity import JwtPrincipals, Principal, SigningKey, write_secret
from gammon_shell.verifying_keys import OneKey

MATCH = "m_000_" + "A" * 26


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    """A key where `gammon up --data DIR` keeps it."""
    key = SigningKey.make()
    write_secret(tmp_path / "signing-key.pem", key.private_pem)
    return key


def believed(key: SigningKey, token: str) -> object:
    config = RoleConfig()
    return JwtPrincipals(OneKey(key.public_pem), config.auth_issuer, config.auth_audience).principal(f"Bearer {token}")


def expires_in(token: str) -> float:
    claims = jwt.decode(token, options={"verify_signature": False})
    return float(claims["exp"]) - time.time()


def test_it_prints_a_token_and_nothing_else(tmp_path: Path, key: SigningKey) -> None:
    done = gammon("token", "player:anna", "player", "--directory", str(tmp_path))
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1
    assert believed(key, done.stdout.strip()) == Principal("player:anna", frozenset({"player"}))
    assert abs(expires_in(done.stdout.strip()) - 86_400) < 30


@pytest.mark.parametrize(
    ("option", "seconds"), [("--valid-days=30", 30 * 86_400), ("--valid-minutes=5", 300), ("--valid-days=1", 86_400)]
)
def test_it_is_good_as_long_as_is_asked(tmp_path: Path, key: SigningKey, option: str, seconds: int) -> None:
    done = gammon("token", "ops", "operator", "auditor", option, "--json", "--directory", str(tmp_path))
    told = json.loads(done.stdout)
    assert set(told) == {"token", "subject", "roles", "expires"}
    assert (told["subject"], told["roles"]) == ("ops", ["auditor", "operator"])
    assert believed(key, told["token"]) == Principal("ops", frozenset({"operator", "auditor"}))
    assert abs(expires_in(told["token"]) - seconds) < 30
    left = datetime.fromisoformat(told["expires"]) - datetime.now(UTC)
    assert abs(left.total_seconds() - seconds) < 30


def test_the_key_of_the_key_tool_is_found_too(tmp_path: Path) -> None:
    key_tool.make(tmp_path, [], 1)
    done = gammon("token", "anna", "player", "--directory", str(tmp_path))
    key = SigningKey.of((tmp_path / "signing" / "signing-key.pem").read_bytes())
    assert believed(key, done.stdout.strip()) == Principal("anna", frozenset({"player"}))


def test_issuer_and_audience_may_be_others(tmp_path: Path, key: SigningKey) -> None:
    where = ("--directory", str(tmp_path))
    done = gammon("token", "anna", "player", "--issuer", "mine", "--audience", "yours", *where)
    claims = jwt.decode(done.stdout.strip(), options={"verify_signature": False})
    assert (claims["iss"], claims["aud"]) == ("mine", "yours")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("anna", "plaer"), "plaer"),
        (("anna",), "ROLE"),
        (("Anna Smith", "player"), "1 to 64 of A-Z a-z 0-9 _ . : @ - are allowed"),
        (("x" * 65, "player"), "1 to 64 of"),
        (("anna", "player", "--valid-days", "0"), "greater than or equal to 1"),
        (("anna", "player", "--valid-days", "1", "--valid-minutes", "1"), "not both"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, key: SigningKey, arguments: tuple[str, ...], told: str) -> None:
    done = gammon("token", *arguments, "--directory", str(tmp_path))
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stdout == ""


def test_without_a_key_it_says_how_to_get_one(tmp_path: Path) -> None:
    done = gammon("token", "anna", "player", "--directory", str(tmp_path / "none"))
    assert done.returncode == 2
    assert f"`gammon up --data {tmp_path / 'none'}` makes one" in done.stderr.replace("\n", " ")
    (tmp_path / "signing-key.pem").write_text("rubbish")
    done = gammon("token", "anna", "player", "--directory", str(tmp_path))
    assert done.returncode == 2
    assert "no Ed25519 private key in PEM" in done.stderr
    assert "Traceback" not in done.stderr


async def test_a_running_suite_believes_it(tmp_path: Path) -> None:
    with running_up(tmp_path) as up:
        target = read_endpoints(up.endpoints).match

        async def refusal(*arguments: str) -> LedgerError:
            token = gammon("token", *arguments, "--directory", str(tmp_path)).stdout.strip()
            async with open_channel(target) as channel:
                with pytest.raises(LedgerError) as caught:
                    await MatchClient(channel, token).direct_match(
                        MATCH, pb.CloseRuling(), events_pb2.DIRECTOR_REASON_REQUEST, seen=Receipt(1)
                    )
            return caught.value

        assert isinstance(await refusal("anna", "player"), RoleRequired)
        assert isinstance(await refusal("ops", "operator", "--issuer", "others"), Unauthenticated)
        assert isinstance(await refusal("ops", "operator"), MatchNotFound)
