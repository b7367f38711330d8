"""Where log lines go: a thread writes them, so that no call waits for whoever reads the log."""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections import deque

MOST_WAITING = 20_000
EVERY_S = 0.02
AT_EXIT_S = 0.5


class LineWriter:
    """Takes lines at once and writes them a moment later, in order and many at a time.

    A reader that stalls costs lines, never time: beyond MOST_WAITING the oldest are dropped, and a line says how
    many. What is waiting is written at exit; a process that is killed loses the last EVERY_S seconds.
    """

    def __init__(self, descriptor: int) -> None:
        """`descriptor`: of the open file to write to. The thread starts with the first line."""
        self._descriptor = descriptor
        self._waiting: deque[str] = deque(maxlen=MOST_WAITING)
        self._dropped = 0
        self._some = threading.Event()
        self._closing = False
        self._thread: threading.Thread | None = None

    def msg(self, line: str) -> None:
        """Takes a line without its end."""
        if len(self._waiting) == MOST_WAITING:
            self._dropped += 1
        self._waiting.append(line)
        if not self._some.is_set():
            if self._thread is None:
                self._start()
            self._some.set()

    # The names by which structlog hands lines over.
    debug = info = warning = warn = error = exception = critical = fatal = msg

    def close(self) -> None:
        """Writes what is waiting, as far as the reader takes it within AT_EXIT_S. Called at exit."""
        self._closing = True
        self._some.set()
        if self._thread is not None:
            self._thread.join(AT_EXIT_S)

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def _run(self) -> None:
        while not self._closing:
            self._some.wait()
            if not self._closing:
                time.sleep(EVERY_S)
            self._some.clear()
            self._write_waiting()
        # What came between the last look and the closing.
        self._write_waiting()

    def _write_waiting(self) -> None:
        lines = []
        while self._waiting:
            lines.append(self._waiting.popleft())
        if self._dropped:
            dropped, self._dropped = self._dropped, 0
            lines.append(f'{{"event":"log lines dropped","lines":{dropped},"level":"warning"}}')
        if lines:
            self._write(("\n".join(lines) + "\n").encode(errors="backslashreplace"))

    def _write(self, content: bytes) -> None:
        view = memoryview(content)
        try:
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError:
            # Nobody reads any more; the service goes on.
            return
