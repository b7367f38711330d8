"""`gammon serve`: one role in the command's own process."""

import json
import subprocess
from pathlib import Path

from tests.cli.command import GAMMON, environment, gammon

from gammon_shell.identity import SigningKey


def test_a_role_is_served_until_it_is_stopped(tmp_path: Path) -> None:
    key = tmp_path / "public.pem"
    key.write_bytes(SigningKey.make().public_pem)
    with subprocess.Popen(
        [*GAMMON, "serve", "rules"],
        env=environment(GAMMON_AUTH_PUBLIC_KEY=str(key)),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as serving:
        assert serving.stdout is not None
        ready = json.loads(serving.stdout.readline())
        assert ready["role"] == "rules"
        assert ready["port"] > 0
        serving.terminate()
        assert serving.wait(10) == 0


def test_a_role_without_what_it_needs_refuses_to_start() -> None:
    done = gammon("serve", "match")
    assert done.returncode == 2
    assert "GAMMON_" in done.stderr
    assert "Traceback" not in done.stderr


def test_there_are_three_roles() -> None:
    done = gammon("serve", "auditor")
    assert done.returncode == 2
    assert "auditor" in done.stderr
