"""What the image runs: roles by name, which end on SIGTERM at any moment."""

import signal
import socket
import time
from pathlib import Path

import pytest
from tests.shell.processes import end, environment, module

from gammon_shell.identity import SigningKey
from gammon_shell.role import STOPPED_EXIT, UNKNOWN_EXIT, module_of, roles

ENTRANCE = "gammon_shell.role"


def test_the_roles_are_the_packages_that_can_be_run_and_two_tools() -> None:
    assert roles() == ["health_probe", "key", "match", "rating", "rules"]
    assert module_of("rules") == "gammon_rules"
    assert module_of("key") == "gammon_shell.key"


@pytest.mark.parametrize("role", ["", "engine", "shell", "nothing", "rules.service", "../rules", "RULES", "key.x"])
def test_there_is_no_other_role(role: str) -> None:
    assert module_of(role) is None
    with module(ENTRANCE, role, env=environment()) as process:
        _, told = process.communicate(timeout=10)
    assert process.returncode == UNKNOWN_EXIT
    assert told == f"there is no role {role!r}; there are health_probe, key, match, rating, rules\n"


def test_a_role_gets_the_rest_of_the_command_line(tmp_path: Path) -> None:
    with module(ENTRANCE, "key", "make", "--directory", str(tmp_path), env=environment()) as process:
        told, _ = process.communicate(timeout=20)
    assert (process.returncode, told) == (0, f"made the key in {tmp_path}\n")


def test_a_role_that_still_waits_for_its_store_ends_at_once(tmp_path: Path) -> None:
    """As the first process of a container it could not be ended by the default action of the signal."""
    key = SigningKey.make()
    (tmp_path / "public.pem").write_bytes(key.public_pem)
    (tmp_path / "token").write_text(key.token("s", ["service"], "gammon-ledger", "gammon-ledger"))
    with socket.socket() as never_answers:
        never_answers.bind(("127.0.0.1", 0))
        never_answers.listen()
        port = never_answers.getsockname()[1]
        ours = environment(
            GAMMON_AUTH_PUBLIC_KEY=str(tmp_path / "public.pem"),
            GAMMON_SERVICE_TOKEN_FILE=str(tmp_path / "token"),
            GAMMON_REDIS_URL=f"redis://127.0.0.1:{port}/0",
            GAMMON_RULES_TARGET="127.0.0.1:1",
        )
        with module(ENTRANCE, "match", env=ours) as process:
            never_answers.settimeout(20)
            accepted, _ = never_answers.accept()
            with accepted:
                time.sleep(0.1)
                code, took, _ = end(process, signal.SIGTERM)
    # Handled, not killed by it: the code of a killed process would be -15.
    assert code == STOPPED_EXIT
    assert took < 2
