"""The last line of a terminal, kept out of what scrolls: it can change while somebody types."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

# Fewer lines hold no board anyway.
LEAST_LINES = 16
SAVE, RESTORE = "\x1b7", "\x1b8"
# Down without changing the column, scrolling at the end; and up again: the last line is free now.
ROOM = "\x1bD\x1b[A"
INVERSE, PLAIN, CLEAR_LINE = "\x1b[7m", "\x1b[0m", "\x1b[2K"


@dataclass(slots=True)
class Footer:
    """The last line of the terminal behind a descriptor; everything above it scrolls."""

    descriptor: int
    lines: int = 0
    text: str = ""

    def open(self) -> None:
        """Takes the last line, of a terminal that may have another size than before."""
        self.lines = os.get_terminal_size(self.descriptor).lines
        # Setting what scrolls moves the cursor.
        self._write(f"{ROOM}{SAVE}\x1b[1;{self.lines - 1}r{RESTORE}")
        text, self.text = self.text, ""
        self.show(text)

    def show(self, text: str) -> None:
        """Shows a text, which must be narrower than the terminal; what is being typed and the cursor stay."""
        if text != self.text:
            self._write(f"{SAVE}\x1b[{self.lines};1H{CLEAR_LINE}{INVERSE}{text}{PLAIN}{RESTORE}")
            self.text = text

    def close(self) -> None:
        """Gives the line back."""
        self._write(f"{SAVE}\x1b[{self.lines};1H{CLEAR_LINE}\x1b[r{RESTORE}")

    def _write(self, text: str) -> None:
        # At once: what the terminal echoes meanwhile comes before or behind it.
        os.write(self.descriptor, text.encode())


def footer_of_terminal() -> Footer | None:
    """The footer of the terminal that somebody types at; None where there is none, or it can do no such thing."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "dumb") in ("dumb", "unknown"):
        return None
    descriptor = sys.stdout.fileno()
    return Footer(descriptor) if os.get_terminal_size(descriptor).lines >= LEAST_LINES else None
