"""The `gammon` command as a process of its own, with nothing of this environment's GAMMON_ variables."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

GAMMON = (sys.executable, "-m", "gammon_cli.main")
READY_WITHIN_S = 40.0
ENDS_WITHIN_S = 60.0


def environment(**more: str) -> dict[str, str]:
    """The environment of a command: 80 columns, no terminal."""
    mine = {name: value for name, value in os.environ.items() if not name.startswith("GAMMON_")}
    return mine | {"COLUMNS": "80", "TERM": "dumb"} | more


def gammon(*arguments: str, stdin: bytes = b"", timeout: float = 60.0, **more: str) -> subprocess.CompletedProcess[str]:
    """Runs it to its end."""
    done = subprocess.run(
        [*GAMMON, *arguments], input=stdin, capture_output=True, env=environment(**more), timeout=timeout, check=False
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


class Up:
    """`gammon up` on a directory."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.data = data
        # One that was killed may have left its own behind.
        self.endpoints.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [*GAMMON, "up", "--data", str(data), *arguments],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        deadline = time.monotonic() + READY_WITHIN_S
        while not self.endpoints.exists():
            assert self.process.poll() is None, self.output()
            assert time.monotonic() < deadline, "not ready"
            time.sleep(0.02)

    @property
    def endpoints(self) -> Path:
        """The file that tells where everything is."""
        return self.data / "endpoints.json"

    def children(self) -> set[int]:
        """The processes that descend from it now."""
        found, parents = set[int](), {self.process.pid}
        while parents:
            parents = {child for parent in parents for child in _children_of(parent)}
            found |= parents
        return found

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Signals it and waits for its end."""
        self.process.send_signal(number)
        return self.process.wait(ENDS_WITHIN_S)

    def output(self) -> str:
        """What it printed, once it has ended."""
        assert self.process.stdout is not None
        return self.process.stdout.read().decode()


@contextmanager
def running_up(data: Path, *arguments: str) -> Iterator[Up]:
    """`gammon up`, stopped at the end if it still runs."""
    up = Up(data, *arguments)
    try:
        yield up
    finally:
        if up.process.poll() is None:
            up.end()
        assert up.process.stdout is not None
        up.process.stdout.close()


def alive(pids: Iterable[int]) -> set[int]:
    """Those of the processes that still run."""
    return {pid for pid in pids if _runs(pid)}


def _runs(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    # A process whose parent has not asked for its end yet is gone all the same.
    return status.rpartition(")")[2].split()[0] != "Z"


def _children_of(parent: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, check=False)
    return [int(pid) for pid in listed.stdout.split()]
