"""`gammon board`: a position drawn, for the terminal or as a file; nothing else has to run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gammon_cli.screen import refuse
from gammon_drawing.svg import draw_svg
from gammon_drawing.text import draw_text
from gammon_engine.game import Game
from gammon_engine.line_settings import KindOfPlay, read_number, read_settings
from gammon_engine.position import Position
from gammon_engine.registry import game_of
from gammon_engine.settings import SessionPlay
from gammon_engine.violation import Fault, Violation

# A board alone: the kind of play does not matter.
_SESSION = KindOfPlay("session", SessionPlay())


def board(
    game: Annotated[str, typer.Argument(help="The game; nackgammon, longgammon and hypergammon are games too.")],
    position: Annotated[str | None, typer.Argument(help="Its text (rule 9), in quotes.", show_default="start")] = None,
    seats: Annotated[int | None, typer.Option(help="How many play.", show_default="as in the position, or 2")] = None,
    seat: Annotated[int, typer.Option(help="The seat that looks at the board.")] = 0,
    centres: Annotated[str | None, typer.Option(help="Trackgammon: four or two centre points on a track.")] = None,
    runner_release: Annotated[str | None, typer.Option(help="Rungammon: own or both.")] = None,
    svg: Annotated[Path | None, typer.Option(help="File to draw to, as SVG, instead of the terminal.")] = None,
) -> None:
    """Draw a position as a seat sees it."""
    options = {"centres": centres, "runner_release": runner_release}
    if seats is None:
        seats = max(2, (position or "").count(" ") + 1)  # 9: the seats in order, separated by one space
    line = {"game": game, "seats": seats, "options": {k: v for k, v in options.items() if v is not None}}
    settings = read_settings(line, _SESSION)
    if isinstance(settings, Fault):
        refuse(settings)
    looking = read_number(seat, "seat", range(seats))
    if isinstance(looking, Fault):
        refuse(looking)
    named = game_of(settings)
    view = named.view(_read_position(named, position))
    if svg is None:
        typer.echo(draw_text(view, looking))
        return
    try:
        svg.write_text(draw_svg(view, looking), encoding="utf-8", newline="\n")
    except OSError as error:
        raise typer.BadParameter(f"{svg}: {error.strerror}", param_hint="--svg") from None


def _read_position(game: Game, text: str | None) -> Position:
    if text is None:
        return game.start()
    position = game.parse(text)
    if isinstance(position, Violation):
        refuse(Fault("position", repr(position.value), position.rule, position.reason))
    return position
