"""Child processes that never outlive their parent, not even one that is killed: a pipe tells them it is gone."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from gammon_shell.errors import RefusedToStart

PARENT_FD = "GAMMON_PARENT_FD"
LAST_GRACE_S = 1.0
STOP_WITHIN_S = 2.0
LEAST_STOP_S = 0.3
PR_SET_PDEATHSIG = 1

_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent() -> None:
    """Ends this process soon after the parent that started it through `Children` is gone. First call of every role.

    It gets SIGTERM first and LAST_GRACE_S to obey. Does nothing when called again, or without such a parent.
    """
    descriptor = os.environ.pop(PARENT_FD, None)
    if descriptor is not None:
        threading.Thread(target=_wait_for_the_end, args=(int(descriptor),), daemon=True).start()


def _wait_for_the_end(descriptor: int) -> None:
    # Nobody ever writes: the read returns when the last holder of the other end, the parent, is gone.
    with contextlib.suppress(OSError):
        os.read(descriptor, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(LAST_GRACE_S)
    os._exit(1)


def kill_with_parent(parent: int) -> Callable[[], None]:
    """What a program that is not ours runs between fork and exec: Linux kills it when process `parent` dies."""

    def between_fork_and_exec() -> None:
        if _LIBC is not None:
            _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:  # it died before that
                os._exit(1)

    return between_fork_and_exec


@dataclass(frozen=True, slots=True)
class ChildSpec:
    """A child to start: its name, its command line, what its environment has besides ours."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]


class Children:
    """Starts children one after the other and notices when one ends.

    `log`: the file that takes their log lines, which name their role; None: our standard error.
    """

    def __init__(self, log: IO[bytes] | None = None) -> None:
        """Opens the pipe whose end tells the children that this process is gone."""
        self._log = log
        self._read_end, self._write_end = os.pipe()
        self._running: dict[str, asyncio.subprocess.Process] = {}
        self._drains: set[asyncio.Task[None]] = set()

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
            # A terminal's Ctrl-C is for the parent, which stops its children in order.
            start_new_session=True,
        )
        assert process.stdout is not None
        # Known before it is ready: whoever gives up waiting can still stop it.
        self._running[spec.name] = process
        try:
            async with asyncio.timeout(timeout_s):
                port = await _port(process.stdout)
                code = await process.wait() if port is None else None
        except TimeoutError:
            # Its place may be taken by another try.
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            raise RefusedToStart(f"{spec.name} did not start within {timeout_s:g} s; its log says why") from None
        if port is None:
            raise RefusedToStart(f"{spec.name} did not start (exit code {code}); its log says why")
        self._drains.add(drain := asyncio.create_task(_drain(process.stdout)))
        drain.add_done_callback(self._drains.discard)
        return port

    def pid(self, name: str) -> int:
        """The process id of a child."""
        return self._running[name].pid

    async def first_to_end(self) -> tuple[str, int]:
        """Waits until any child ends: its name and exit code (negative: killed by that signal)."""
        waits = {asyncio.create_task(child.wait()): name for name, child in self._running.items()}
        try:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waits:
                task.cancel()
        ended = done.pop()
        return waits[ended], ended.result()

    async def stop(self) -> None:
        """Stops all children, the last started first; kills what does not stop in time."""
        deadline = time.monotonic() + STOP_WITHIN_S
        for child in reversed(self._running.values()):
            if child.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    child.terminate()
            try:
                async with asyncio.timeout(max(LEAST_STOP_S, deadline - time.monotonic())):
                    await child.wait()
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):
                    child.kill()
                await child.wait()
        self._running.clear()
        for end in (self._read_end, self._write_end):
            if end >= 0:
                os.close(end)
        self._read_end = self._write_end = -1


async def _port(stdout: asyncio.StreamReader) -> int | None:
    """The port in the first line that has one; None: the output ended without."""
    async for line in stdout:
        with contextlib.suppress(ValueError, KeyError, TypeError):
            return int(json.loads(line)["port"])
    return None


async def _drain(stream: asyncio.StreamReader) -> None:
    # Nobody wants it, but a full pipe would stop the child.
    while await stream.read(65536):
        pass
