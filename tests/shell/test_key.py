"""The throw-away key: made once, kept, and believed by what verifies tokens with its public half."""

import stat
import time
from pathlib import Path

import jwt
import pytest

from gammon_shell import key as key_tool
from gammon_shell.config import RoleConfig
from gammon_shell.identity import IdentityFault, JwtPrincipals, Principal, SigningKey
from gammon_shell.verifying_keys import OneKey

YEAR_S = 365 * 86_400


def believed(directory: Path, token: str) -> Principal | IdentityFault:
    config = RoleConfig(auth_public_key=directory / "public" / "public-key.pem")
    return JwtPrincipals(OneKey(config.public_key()), config.auth_issuer, config.auth_audience).principal(
        f"Bearer {token}"
    )


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_service_token_is_believed_for_ten_years_and_secrets_are_their_owners(tmp_path: Path) -> None:
    assert key_tool.main(["make", "--directory", str(tmp_path), "--service", "match-service"]) == 0
    token = (tmp_path / "tokens" / "match-service").read_text()
    assert believed(tmp_path, token) == Principal("match-service", frozenset({"service"}))
    expires = jwt.decode(token, options={"verify_signature": False})["exp"]
    assert abs(expires - time.time() - 10 * YEAR_S) < 60
    assert mode(tmp_path / "signing" / "signing-key.pem") == mode(tmp_path / "tokens" / "match-service") == 0o600
    assert mode(tmp_path / "public" / "public-key.pem") == 0o644
    assert b"PRIVATE" not in (tmp_path / "public" / "public-key.pem").read_bytes()


def test_the_key_is_kept_and_what_follows_from_it_is_made_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make = ["make", "--directory", str(tmp_path), "--service", "match-service"]
    key_tool.main(make)
    signing = (tmp_path / "signing" / "signing-key.pem").read_bytes()
    old_token = (tmp_path / "tokens" / "match-service").read_text()
    (tmp_path / "public" / "public-key.pem").unlink()
    (tmp_path / "tokens" / "match-service").unlink()
    key_tool.main(make)
    assert capsys.readouterr().out == f"made the key in {tmp_path}\nkept the key in {tmp_path}\n"
    assert (tmp_path / "signing" / "signing-key.pem").read_bytes() == signing
    for token in (old_token, (tmp_path / "tokens" / "match-service").read_text()):
        assert believed(tmp_path, token) == Principal("match-service", frozenset({"service"}))


def test_a_token_for_anybody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key_tool.main(["make", "--directory", str(tmp_path)])
    capsys.readouterr()
    assert key_tool.main(["token", "--directory", str(tmp_path), "alice", "player", "operator"]) == 0
    token = capsys.readouterr().out.strip()
    assert believed(tmp_path, token) == Principal("alice", frozenset({"player", "operator"}))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["token", "alice", "player"], "cannot read the signing key: No such file or directory"),
        (["make", "--service", "../../x"], "the subject '../../x' is not 1 to 64 of"),
    ],
)
def test_what_cannot_be_done_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert key_tool.main([*arguments, "--directory", str(tmp_path / "keys")]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("content", [b"rubbish", SigningKey.make().public_pem, b""])
def test_a_file_that_is_no_signing_key_is_refused_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    (tmp_path / "signing").mkdir()
    (tmp_path / "signing" / "signing-key.pem").write_bytes(content)
    assert key_tool.main(["make", "--directory", str(tmp_path)]) == 2
    assert "is no Ed25519 private key in PEM" in capsys.readouterr().err
    assert (tmp_path / "signing" / "signing-key.pem").read_bytes() == content


def test_a_directory_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert key_tool.main(["make", "--directory", str(tmp_path / "file")]) == 2
    assert f"cannot keep keys in {tmp_path / 'file'}: Not a directory" in capsys.readouterr().err


@pytest.mark.parametrize("days", ["0", "-1", "40000"])
def test_a_token_is_valid_for_a_time_that_makes_sense(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], days: str
) -> None:
    with pytest.raises(SystemExit):
        key_tool.main(["make", "--directory", str(tmp_path), "--valid-days", days])
    assert f"{days} days: 1 to 36500 are allowed" in capsys.readouterr().err
