"""A command at a terminal, as a person types at it."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Callable

from tests.cli.command import GAMMON, environment
from tests.cli.screen import Screen

WITHIN_S = 60.0
# Sent without moving the cursor for good: to take the last line, to write it, to give it back.
FOOTER = re.compile(r"(\x1bD\x1b\[A)?\x1b7[^\x1b]*\x1b\[.*?\x1b8", re.DOTALL)
# Makes its input the controlling terminal, whose Ctrl-C then reaches it, and becomes the command.
AT_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)


class Terminal:
    """A command at a terminal of its own, 80 columns wide."""

    def __init__(self, *arguments: str, lines: int = 24, **more: str) -> None:
        self.seen = ""
        self._lines = lines
        self._decoder = getincrementaldecoder("utf-8")()
        self._end, its_end = pty.openpty()
        fcntl.ioctl(its_end, termios.TIOCSWINSZ, struct.pack("HHHH", lines, 80, 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, "-c", AT_TERMINAL, *GAMMON, *arguments],
            stdin=its_end,
            stdout=its_end,
            stderr=its_end,
            env=environment(TERM="xterm", LINES=str(lines), **more),
            start_new_session=True,
        )
        os.close(its_end)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._end)

    def type(self, text: str) -> None:
        """Types it."""
        os.write(self._end, text.encode())

    def answer(self, text: str, asked_for: str) -> None:
        """Types it, and reads until what comes after that has the pattern."""
        before = len(self.plain())
        self.type(text)
        self.wait_for(asked_for, before)

    def wait_for(self, pattern: str, after: int = 0) -> None:
        """Reads until what was seen since the start, or after so many letters, has the pattern; without the footer."""
        self._wait_until(lambda: re.search(pattern, self.plain()[after:], re.DOTALL) is not None)

    def wait_for_footer(self, pattern: str) -> None:
        """Reads until the last line of the screen has the pattern."""
        self._wait_until(lambda: re.search(pattern, self.screen().line(-1)) is not None)

    def read_for(self, seconds: float) -> None:
        """Reads what comes within a time."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self._read()

    def plain(self) -> str:
        """What was seen since the start, without colours and what keeps the last line."""
        scrolled = FOOTER.sub("", self.seen)
        return re.sub(r"\x1b\[[0-9;]*m", "", scrolled)

    def screen(self) -> Screen:
        """What stands on the screen; a sequence that has come in part only is left out."""
        return Screen(self._lines).write(re.sub(r"\x1b(\[[0-9;]*)?$", "", self.seen))

    def _wait_until(self, seen: Callable[[], bool]) -> None:
        deadline = time.monotonic() + WITHIN_S
        while not seen():
            assert time.monotonic() < deadline, self.seen
            self._read()

    def _read(self) -> None:
        if select.select([self._end], [], [], 0.1)[0]:
            try:
                self.seen += self._decoder.decode(os.read(self._end, 65536))
            except OSError:
                raise AssertionError(f"it ended: {self.seen}") from None

    def hang_up(self) -> None:
        """Tells it as a shell does whose terminal is closed: more than once."""
        for _ in range(3):
            self._process.send_signal(signal.SIGHUP)
            time.sleep(0.2)

    def ended(self) -> int:
        """Its exit code."""
        return self._process.wait(WITHIN_S)
