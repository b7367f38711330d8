"""The legal plays as numbered pages, and other columns of text."""

from __future__ import annotations

from collections.abc import Sequence

from gammon_cli.play.commands import LookAtPlays, Wrong
from gammon_cli.play.sight import Sight

_GAP = 3


def listing(sight: Sight, wanted: LookAtPlays, width: int, height: int) -> list[str] | Wrong:
    """The lines of what is wanted, at most `width` wide and `height` high, with a last line that says what there is."""
    cells = [f"{number:>3}  {sight.game.write_play(play)}" for number, play in enumerate(sight.plays, start=1)]
    again = "?"
    if wanted.step:
        cells = [cell for cell in cells if any(word.startswith(wanted.step) for word in cell.lower().split()[1:])]
        again = f"? {wanted.step}"
        if not cells:
            return Wrong(f"no legal play has a step that begins with {wanted.step!r}")
    pages = _pages(cells, width, max(height - 1, 1))
    if not 1 <= wanted.page <= len(pages):
        return Wrong(f"the list has {f'pages 1 to {len(pages)}' if len(pages) > 1 else 'one page'}")
    lines = pages[wanted.page - 1]
    if len(pages) == 1:
        return [*lines, f"{len(cells)} of {len(sight.plays)} plays" if wanted.step else f"{len(cells)} plays"]
    more = f"; {again} {wanted.page + 1} has more" if wanted.page < len(pages) and not wanted.step else ""
    return [*lines, f"page {wanted.page} of {len(pages)}, {len(cells)} plays{more}"]


def _pages(cells: Sequence[str], width: int, height: int) -> list[list[str]]:
    """The cells in columns, downwards first."""
    wide = max(map(len, cells))
    columns = max(1, (width + _GAP) // (wide + _GAP))
    pages = []
    for start in range(0, len(cells), columns * height):
        page = cells[start : start + columns * height]
        rows = -(-len(page) // columns)
        pages.append([(" " * _GAP).join(f"{cell:<{wide}}" for cell in page[row::rows]).rstrip() for row in range(rows)])
    return pages
