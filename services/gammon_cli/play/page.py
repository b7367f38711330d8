"""How it looks on the terminal: 80 columns, colours only where the output is a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from gammon_cli.play.telling import board, header
from gammon_cli.screen import OUT
from gammon_drawing.marks import LETTERS
from gammon_engine.referee.state import State
from gammon_engine.settings import Settings

WIDTH = 80
# One a seat.
STYLES = ("bold yellow", "bold cyan", "bold magenta", "bold green")
# Below a list: what it has, the prompt, and the clocks; and the question above it that should stay in sight.
_LINES_KEPT = 4


def height() -> int:
    """How many lines a list may have."""
    return max(OUT.height - _LINES_KEPT, 5)


def show(text: str, style: str = "") -> None:
    """Text, folded between words."""
    OUT.print(Text(text, style=style), width=min(OUT.width, WIDTH))


def complain(text: str) -> None:
    """Why nothing was done."""
    show(text, style="red")


def prompt(seat: int) -> None:
    """Asks for a line."""
    OUT.print(Text(f"{LETTERS[seat]}> ", style=STYLES[seat]), end="")


def table(rows: Sequence[tuple[str, str]]) -> None:
    """What can be typed, and what it does."""
    wide = max(len(typed) for typed, _ in rows)
    for typed, does in rows:
        show(f"  {typed:<{wide}}  {does}")


def draw(settings: Settings, state: State, seat: int) -> None:
    """The board with its header, the pieces of each seat in its colour."""
    OUT.print(Text(f"\n {header(settings, state, seat)}", style="bold"))
    drawn = Text(board(settings, state, seat))
    for style, letter in zip(STYLES, LETTERS, strict=True):
        drawn.highlight_regex(rf"{letter}\d*", style)
    OUT.print(drawn, soft_wrap=True)
