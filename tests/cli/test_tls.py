"""The whole suite under TLS, with an authority of the test's own: the roles among each other, and the command."""

import dataclasses
import json
import time
from importlib.resources import files
from pathlib import Path

import pytest
import typer
from tests.cli.command import Up, gammon, running_up
from tests.shell.certificates import Authority

from gammon_cli.demo import RECORDS
from gammon_cli.endpoints import read_endpoints
from gammon_cli.health import UNREACHABLE, check_health
from gammon_cli.main import app

RATED_WITHIN_S = 10.0
RECORD = files("gammon_cli") / "records" / RECORDS[0]


def options(authority: Authority) -> tuple[str, ...]:
    certificate, key = authority.issue()
    return (
        *("--tls-certificate", str(certificate)),
        *("--tls-key", str(key)),
        *("--tls-ca", str(authority.file)),
    )


def statuses(up: Up, *arguments: str, authority: str = "") -> set[str]:
    """What the roles say they are; `authority`: the one that the environment names."""
    where = ("--endpoints", str(up.endpoints))
    done = gammon("status", "--json", *where, *arguments, GAMMON_TLS_CA=authority)
    return {role["status"] for role in json.loads(done.stdout)["roles"].values()}


def test_every_command_that_calls_a_suite_can_be_told_its_authority() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    options = {name: {flag for own in command.params for flag in own.opts} for name, command in commands.items()}
    callers = {name for name, own in options.items() if "--endpoints" in own}
    assert len(callers) > 10
    # The index is of the store, which no role stands before.
    assert {name for name in callers if "--tls-ca" not in options[name]} == {"index"}


async def test_all_roles_and_the_command_speak_tls(tmp_path: Path) -> None:
    """A record goes in through match and rules, and comes out of rating, which read it from match."""
    authority, other = Authority(tmp_path), Authority(tmp_path, "other")
    with running_up(tmp_path / "data", *options(authority)) as up:
        where = ("--endpoints", str(up.endpoints))
        assert statuses(up) == {"SERVING"}

        imported = gammon("import", str(RECORD), "--json", *where)
        assert imported.returncode == 0, imported.stderr
        assert gammon("audit", "--all", *where).returncode == 0
        deadline = time.monotonic() + RATED_WITHIN_S
        while not gammon("ratings", "--pool", "imported", "--json", *where).stdout:
            assert time.monotonic() < deadline, "not rated"

        # Only whom the authority vouches for is believed, and in plain text nobody is.
        assert statuses(up, "--tls-ca", str(other.file)) == {UNREACHABLE}
        assert statuses(up, authority=str(other.file)) == {UNREACHABLE}
        plain = dataclasses.replace(read_endpoints(up.endpoints), tls_ca="")
        assert {(await check_health(role, plain)).status for role in ("rules", "match", "rating")} == {UNREACHABLE}
        missing = gammon("status", *where, "--tls-ca", str(tmp_path / "none.pem"))
        assert missing.returncode == 2
        assert "certificate of the authority: No such file" in missing.stderr

        # A new certificate of a new authority, while everything runs.
        other.issue()
        assert statuses(up, "--tls-ca", str(other.file)) == {"SERVING"}
        assert statuses(up) == {UNREACHABLE}


@pytest.mark.parametrize("missing", ["--tls-certificate", "--tls-key", "--tls-ca"])
def test_half_of_tls_is_refused(tmp_path: Path, missing: str) -> None:
    given = options(Authority(tmp_path))
    at = given.index(missing)
    done = gammon("up", "--data", str(tmp_path / "data"), *given[:at], *given[at + 2 :])
    assert done.returncode == 2
    assert "go together" in done.stderr


def test_an_authority_in_the_environment_is_for_other_suites(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    with running_up(tmp_path / "data", "--tls-ca", str(authority.file)) as up:
        assert read_endpoints(up.endpoints).tls_ca == ""
        assert statuses(up) == {"SERVING"}
