"""Lines from the keyboard or a pipe, while other things go on."""

from __future__ import annotations

import os
import termios
import threading
from collections.abc import Callable

CHUNK = 4096


def read_lines(descriptor: int, deliver: Callable[[str | None], None]) -> None:
    """Gives each line without its end as it is typed, and None at the end of all; returns at once.

    A thread reads, as a pipe, a file and a terminal all can be read that way; it never holds up the end of the process.
    """
    threading.Thread(target=_read, args=(descriptor, deliver), daemon=True).start()


def forget_begun_line(descriptor: int) -> None:
    """Drops what was typed at a terminal and not ended by Enter."""
    if os.isatty(descriptor):
        termios.tcflush(descriptor, termios.TCIFLUSH)


def _read(descriptor: int, deliver: Callable[[str | None], None]) -> None:
    kept = b""
    try:
        while chunk := os.read(descriptor, CHUNK):
            *lines, kept = (kept + chunk).split(b"\n")
            for line in lines:
                deliver(line.decode(errors="replace").rstrip("\r"))
    except OSError:
        # The terminal is gone.
        kept = b""
    if kept:
        deliver(kept.decode(errors="replace"))
    deliver(None)
