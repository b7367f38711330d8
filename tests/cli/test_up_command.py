"""`gammon up` and its end: by a signal, by a child's death, by kill -9."""

import json
import os
import signal
import stat
import time
from pathlib import Path

import pytest
from tests.cli.command import alive, gammon, running_up


def test_up_tells_where_everything_is_and_stops_on_a_signal(tmp_path: Path) -> None:
    with running_up(tmp_path / "a place") as up:
        told = json.loads(up.endpoints.read_text())
        assert set(told) == {"rules", "match", "rating", "store", "token_file", "tls_ca"}
        for secret in ("token", "service-token", "signing-key.pem"):
            assert stat.S_IMODE((up.data / secret).stat().st_mode) == 0o600
        status = gammon("status", "--json", "--endpoints", str(up.endpoints))
        assert status.returncode == 0
        assert {role["status"] for role in json.loads(status.stdout)["roles"].values()} == {"SERVING"}
        assert gammon("status", GAMMON_ENDPOINTS=str(up.endpoints)).stdout.count("SERVING") == 3
        children = up.children()
        assert len(children) == 5, "store, its watchdog, and three roles"
        assert up.end(signal.SIGINT) == 0
        assert str(up.endpoints) in up.output()
        assert alive(children) == set()
        assert not up.endpoints.exists()


def test_a_second_up_on_the_same_data_is_refused_and_leaves_the_first_alone(tmp_path: Path) -> None:
    with running_up(tmp_path) as up:
        second = gammon("up", "--data", str(tmp_path))
        assert second.returncode == 2
        assert "store did not start" in second.stderr
        assert "another store runs on" in second.stderr
        status = gammon("status", "--endpoints", str(up.endpoints))
        assert status.returncode == 0, status.stdout + status.stderr


@pytest.mark.parametrize("role", ["rules", "match", "rating", "embedded_store"])
def test_when_one_dies_all_stop_with_exit_1(tmp_path: Path, role: str) -> None:
    with running_up(tmp_path) as up:
        children = up.children()
        os.kill(_pid(children, role), signal.SIGKILL)
        assert up.process.wait(10) == 1
        assert f"{role.removeprefix('embedded_')} ended with -9" in up.output()
        assert alive(children) == set()


def test_kill_9_of_up_leaves_no_process_behind_within_3_seconds(tmp_path: Path) -> None:
    with running_up(tmp_path) as up:
        children = up.children()
        assert len(children) == 5
        up.end(signal.SIGKILL)
        deadline = time.monotonic() + 3.0
        while alive(children):
            assert time.monotonic() < deadline, alive(children)
            time.sleep(0.05)
        left = gammon("status", "--endpoints", str(up.endpoints))
        assert left.returncode == 1
        assert left.stdout.count("UNREACHABLE") == 3
    with running_up(tmp_path) as again:
        assert gammon("status", "--endpoints", str(again.endpoints)).returncode == 0


def test_keys_and_so_tokens_outlive_a_restart(tmp_path: Path) -> None:
    with running_up(tmp_path) as up:
        key = (up.data / "signing-key.pem").read_bytes()
    with running_up(tmp_path) as up:
        assert (up.data / "signing-key.pem").read_bytes() == key


def test_without_a_running_suite_commands_say_how_to_get_one(tmp_path: Path) -> None:
    for command in (("status",), ("audit", "--all"), ("replay", "m_000_" + "A" * 26)):
        done = gammon(*command, "--endpoints", str(tmp_path / "none.json"))
        assert done.returncode == 2
        assert "gammon up --data .data" in done.stderr


def _pid(children: set[int], role: str) -> int:
    for pid in children:
        if f"gammon_{role}" in (line := Path(f"/proc/{pid}/cmdline").read_text()) or f".{role}" in line:
            return pid
    raise AssertionError(role)
