"""Processes of a test's own, and whether any is left."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.shell.echo import AUDIENCE, ISSUER

from gammon_shell.identity import SigningKey

ROOT = Path(__file__).parents[2]


def environment(**ours: str) -> dict[str, str]:
    """Ours and nothing else that starts with GAMMON_."""
    rest = {name: value for name, value in os.environ.items() if not name.startswith("GAMMON_")}
    return rest | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "services")))} | ours


def role_environment(directory: Path, key: SigningKey) -> dict[str, str]:
    """What the echo role needs to start."""
    public = directory / "public.pem"
    public.write_bytes(key.public_pem)
    return environment(GAMMON_AUTH_PUBLIC_KEY=str(public), GAMMON_AUTH_ISSUER=ISSUER, GAMMON_AUTH_AUDIENCE=AUDIENCE)


@contextmanager
def module(name: str, *arguments: str, env: dict[str, str], cwd: Path | None = None) -> Iterator[subprocess.Popen[str]]:
    """Runs a module in a process of its own, which is gone afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-m", name, *arguments],
        env=env,
        cwd=cwd or ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def end(process: subprocess.Popen[str], number: int = signal.SIGTERM, within_s: float = 5.0) -> tuple[int, float, str]:
    """Sends a signal and waits: exit code, seconds, standard error."""
    started = time.monotonic()
    process.send_signal(number)
    process.wait(within_s)
    took = time.monotonic() - started
    assert process.stderr is not None
    return process.returncode, took, process.stderr.read()


def alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        if Path("/proc/self").exists():
            return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def until(condition: Callable[[], bool], within_s: float) -> float:
    """Waits for a condition: the seconds it took. Fails the test when it does not come true."""
    started = time.monotonic()
    while not condition():
        assert time.monotonic() - started < within_s, f"not within {within_s} s"
        time.sleep(0.02)
    return time.monotonic() - started
