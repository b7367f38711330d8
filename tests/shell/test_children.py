"""Children with a parent that stops, ends or is killed: nothing is left within three seconds."""

import asyncio
import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest
from tests.shell.processes import alive, end, module, role_environment, until

from gammon_shell.children import Children, ChildSpec
from gammon_shell.errors import RefusedToStart
from gammon_shell.identity import SigningKey

SUPERVISOR = "tests.shell.supervisor"
ROLE = ["-m", "tests.shell.echo_role"]
# Obeys nothing: only the end of its last grace ends it.
STUBBORN = """
import json, signal, time
from gammon_shell.children import die_with_parent
signal.signal(signal.SIGTERM, signal.SIG_IGN)
die_with_parent()
print(json.dumps({"port": 1}), flush=True)
while True:
    pass
"""
# Ends when told to through a file.
MORTAL = """
import json, pathlib, sys, time
from gammon_shell.children import die_with_parent
die_with_parent()
print(json.dumps({"port": 1}), flush=True)
while not pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.02)
sys.exit(3)
"""


def commands(tmp_path: Path) -> str:
    return json.dumps({"first": ROLE, "second": ROLE, "mortal": ["-c", MORTAL, str(tmp_path / "end")]})


def test_a_killed_parent_leaves_nothing_behind(tmp_path: Path, key: SigningKey) -> None:
    asked = json.dumps({"first": ROLE, "second": ROLE, "stubborn": ["-c", STUBBORN]})
    with module(SUPERVISOR, asked, env=role_environment(tmp_path, key)) as process:
        assert process.stdout is not None
        pids = json.loads(process.stdout.readline())
        assert len(pids) == 3
        assert all(alive(pid) for pid in pids.values())
        process.kill()
        until(lambda: not any(alive(pid) for pid in pids.values()), within_s=3.0)


def test_when_one_ends_all_stop_with_exit_code_1(tmp_path: Path, key: SigningKey) -> None:
    with module(SUPERVISOR, commands(tmp_path), env=role_environment(tmp_path, key)) as process:
        assert process.stdout is not None
        pids = json.loads(process.stdout.readline())
        time.sleep(0.2)
        assert process.poll() is None
        (tmp_path / "end").touch()
        assert process.wait(5) == 1
        assert not any(alive(pid) for pid in pids.values())


@pytest.mark.parametrize("victim", ["first", "second"])
def test_when_one_is_killed_all_stop_with_exit_code_1(tmp_path: Path, key: SigningKey, victim: str) -> None:
    with module(SUPERVISOR, commands(tmp_path), env=role_environment(tmp_path, key)) as process:
        assert process.stdout is not None
        pids = json.loads(process.stdout.readline())
        os.kill(pids[victim], signal.SIGKILL)
        assert process.wait(5) == 1
        assert not any(alive(pid) for pid in pids.values())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_parent_that_is_stopped_stops_all_in_time(tmp_path: Path, key: SigningKey, number: int) -> None:
    with module(SUPERVISOR, commands(tmp_path), env=role_environment(tmp_path, key)) as process:
        assert process.stdout is not None
        pids = json.loads(process.stdout.readline())
        code, took, _ = end(process, number)
        assert code == 0
        assert took < 2.5
        assert not any(alive(pid) for pid in pids.values())


def child(program: str, *arguments: str) -> ChildSpec:
    return ChildSpec("child", [sys.executable, "-c", program, *arguments], {"OURS": "yes"})


async def test_a_child_that_does_not_start_is_named(tmp_path: Path) -> None:
    children = Children()
    try:
        with pytest.raises(RefusedToStart, match=r"child did not start \(exit code 7\)"):
            await children.start(child("import sys; sys.exit(7)"))
        with pytest.raises(RefusedToStart, match=r"child did not start within 0.5 s"):
            await children.start(child("import time; time.sleep(60)"), timeout_s=0.5)
        assert not alive(children.pid("child"))
        with pytest.raises(RefusedToStart, match=r"child did not start within 0.5 s"):
            await children.start(child("import os, time; os.close(1); time.sleep(60)"), timeout_s=0.5)
    finally:
        await children.stop()


async def test_the_port_is_in_the_first_line_that_has_one(tmp_path: Path) -> None:
    program = "import time; print('hello\\n[]\\n{}\\n{\"port\": 77}', flush=True); time.sleep(60)"
    children = Children()
    try:
        assert await children.start(child(program)) == 77
    finally:
        await children.stop()


async def test_what_a_child_prints_later_does_not_stop_it(tmp_path: Path) -> None:
    done = tmp_path / "done"
    program = (
        "import pathlib, sys, time; print('{\"port\": 1}', flush=True); print('x' * 1_000_000, flush=True)\n"
        "pathlib.Path(sys.argv[1]).touch(); time.sleep(60)"
    )
    children = Children()
    try:
        await children.start(child(program, str(done)))
        async with asyncio.timeout(5):
            while not done.exists():
                await asyncio.sleep(0.02)
    finally:
        await children.stop()


async def test_the_log_and_the_environment_of_a_child(tmp_path: Path) -> None:
    program = "import os, sys, time; print(os.environ['OURS'], file=sys.stderr); print('{\"port\": 1}', flush=True)"
    log = tmp_path / "log"
    with log.open("wb") as out:
        children = Children(out)
        await children.start(child(program))
        assert await children.first_to_end() == ("child", 0)
        await children.stop()
    assert log.read_text() == "yes\n"


async def test_a_child_that_does_not_obey_is_killed() -> None:
    children = Children()
    await children.start(child(STUBBORN))
    pid = children.pid("child")
    started = time.monotonic()
    await children.stop()
    assert time.monotonic() - started < 2.5
    assert not alive(pid)
    await children.stop()  # once more does no harm


async def test_a_child_can_be_started_again_in_its_place(tmp_path: Path) -> None:
    children = Children()
    try:
        await children.start(child(MORTAL, str(tmp_path / "end")))
        os.kill(children.pid("child"), signal.SIGKILL)
        assert await children.first_to_end() == ("child", -signal.SIGKILL)
        await children.start(child(MORTAL, str(tmp_path / "end")))
        (tmp_path / "end").touch()
        assert await children.first_to_end() == ("child", 3)
    finally:
        await children.stop()


async def test_no_pipe_is_left_open() -> None:
    open_before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    children = Children()
    await children.start(child("import time; print('{\"port\": 1}', flush=True); time.sleep(60)"))
    await children.stop()
    await asyncio.sleep(0.1)
    if open_before:
        assert len(os.listdir("/proc/self/fd")) <= open_before + 3  # the loop's own, made at first use
