"""`gammon replay`: a match turn by turn, with the board after each play."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from gammon_audit.record import MatchRecord
from gammon_audit.replay import Turn, Unreadable
from gammon_audit.replay import replay as replay_match
from gammon_cli.endpoints import Endpoints, read_endpoints
from gammon_cli.screen import ERR, FOUND_WRONG, OUT, EndpointsOption, JsonOption, TlsCaOption, print_json, told
from gammon_cli.stored_match import match_service, read_stored


def replay(
    match: Annotated[str, typer.Argument(help="Match id.")],
    seat: Annotated[int, typer.Option(min=0, max=3, help="The seat that looks at the board.")] = 0,
    svg: Annotated[Path | None, typer.Option(help="Directory for a picture of each new position.")] = None,
    endpoints: EndpointsOption = None,
    tls_ca: TlsCaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a match turn by turn with its boards; with --json one line a turn. Exit 1 if it cannot be read on."""
    with told():
        record = asyncio.run(_read(read_endpoints(endpoints, tls_ca), match))
    position = ""
    for turn in replay_match(record):
        if isinstance(turn, Unreadable):
            _stop(turn, as_json)
        check_seat(turn, seat)
        moved, position = turn.position != position, turn.position
        if svg is not None and moved:
            _write_picture(svg, turn, seat)
        if as_json:
            print_json(turn.to_json())
            continue
        show_turn(turn)
        if moved:
            show_board(turn, seat)


async def _read(endpoints: Endpoints, match_id: str) -> MatchRecord:
    async with match_service(endpoints) as client:
        return await read_stored(client, match_id)


def check_seat(turn: Turn, seat: int) -> None:
    """Refuses a seat that the match does not have."""
    seats = turn.settings.seats
    if seat >= seats:
        raise typer.BadParameter(
            f"seats of this match are 0 to {seats - 1} (rule 1.1), got {seat}", param_hint="--seat"
        )


def _write_picture(directory: Path, turn: Turn, seat: int) -> None:
    """One file a turn, named by its sequence so that they sort."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        (directory / f"{turn.sequence:06}.svg").write_text(turn.picture(seat), encoding="utf-8", newline="\n")
    except OSError as error:
        raise typer.BadParameter(f"{error.filename}: {error.strerror}", param_hint="--svg") from None


def show_turn(turn: Turn) -> None:
    """One line: the sequence of the batch end, who acted, what happened."""
    who = "" if turn.seat is None else f"seat {turn.seat}: "
    OUT.print(f"{turn.sequence:>5}  {who}{turn.what}", markup=False, highlight=False, soft_wrap=True)


def show_board(turn: Turn, seat: int = 0) -> None:
    """The board after a turn, with game, score and cube."""
    board = turn.board(seat)
    if not board:
        return
    OUT.print(f"\n {turn.header()}", style="bold", highlight=False)
    OUT.print(board + "\n", markup=False, highlight=False, soft_wrap=True)


def _stop(fault: Unreadable, as_json: bool) -> NoReturn:
    if as_json:
        print_json({"error": {"sequence": fault.sequence, "reason": fault.reason}})
    else:
        ERR.print(f"gammon: event {fault.sequence}: {fault.reason}", style="red", markup=False)
    raise typer.Exit(FOUND_WRONG)
