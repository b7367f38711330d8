"""Child processes that never outlive their parent, not even one that is killed: a pipe tells them it is gone."""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from gammon_shell.errors import RefusedToStart

PARENT_FD = "GAMMON_PARENT_FD"
LAST_GRACE_S = 1.0
STOP_WITHIN_S = 2.0
PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Ends this process soon after the parent that started it through `Children` is gone. First call of every role."""
    descriptor = os.environ.get(PARENT_FD)
    if descriptor is not None:
        threading.Thread(target=_wait_for_the_end, args=(int(descriptor),), daemon=True).start()


def _wait_for_the_end(descriptor: int) -> None:
    # Nobody ever writes: the read returns when the last holder of the other end, the parent, is gone.
    os.read(descriptor, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(LAST_GRACE_S)
    os._exit(1)


def kill_with_parent() -> None:
    """For a program that is not ours, between fork and exec: Linux kills it when the starting process dies."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class ChildSpec:
    """A child to start: its name, its command line, what its environment has besides ours."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]


class Children:
    """Starts children one after the other and notices when one ends. `log`: where their log lines go."""

    def __init__(self, log: IO[bytes] | None = None) -> None:
        """Opens the pipe whose end tells the children that this process is gone."""
        self._log = log
        self._read_end, self._write_end = os.pipe()
        self._running: dict[str, asyncio.subprocess.Process] = {}

    async def start(self, spec: ChildSpec, timeout_s: float = 20.0) -> int:
        """Starts a child and returns the port of its readiness line. Raises RefusedToStart when none comes."""
        environment = {**os.environ, **spec.environment, PARENT_FD: str(self._read_end)}
        process = await asyncio.create_subprocess_exec(
            *spec.command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=self._log,
            env=environment,
            pass_fds=(self._read_end,),
            start_new_session=True,
        )
        self._running[spec.name] = process
        assert process.stdout is not None
        try:
            async with asyncio.timeout(timeout_s):
                line = await process.stdout.readline()
            return int(json.loads(line)["port"])
        except (TimeoutError, ValueError, KeyError):
            raise RefusedToStart(f"{spec.name} did not start; its log says why") from None

    def pid(self, name: str) -> int:
        """The process id of a child."""
        return self._running[name].pid

    async def first_to_end(self) -> tuple[str, int]:
        """Waits until any child ends: its name and exit code."""
        waits = {asyncio.create_task(child.wait()): name for name, child in self._running.items()}
        done, pending = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        ended = done.pop()
        return waits[ended], ended.result()

    async def stop(self) -> None:
        """Stops all children, the last started first; kills what does not stop in time."""
        for child in reversed(self._running.values()):
            if child.returncode is None:
                child.terminate()
            try:
                async with asyncio.timeout(STOP_WITHIN_S):
                    await child.wait()
            except TimeoutError:
                child.kill()
                await child.wait()
        self._running.clear()
        for end in (self._read_end, self._write_end):
            os.close(end)
