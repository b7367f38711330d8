"""`gammon export`: a stored match as a file for other programs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from gammon_audit.record import MatchRecord
from gammon_cli.endpoints import Endpoints, read_endpoints
from gammon_cli.local_names import NamesOption, NamesUnusable, local_names
from gammon_cli.screen import ERR, FOUND_WRONG, EndpointsOption, TlsCaOption, told
from gammon_cli.stored_match import match_service, read_stored
from gammon_records.mat_writer import write_mat
from gammon_records.told_match import NotWritable, sheet_of


def export(
    match: Annotated[str, typer.Argument(help="Match id.")],
    mat: Annotated[bool, typer.Option("--mat", help="As MAT text, which most programs read.")] = False,
    out: Annotated[Path | None, typer.Option(help="File to write instead of the standard output.")] = None,
    names: NamesOption = None,
    endpoints: EndpointsOption = None,
    tls_ca: TlsCaOption = None,
) -> None:
    """Write a match as MAT: its dice, plays, cube actions and results. Exit 1 if it cannot be written so."""
    if not mat:
        raise typer.BadParameter("name the form: --mat")
    with told():
        record = asyncio.run(_read(read_endpoints(endpoints, tls_ca), match))
    try:
        sheet = sheet_of([event.envelope for event in record.events])
        known = local_names(names).names()
        first, second = (known.get(player) or player for player in sheet.players)
        text = write_mat(sheet, (first, second), match)
        if out is None:
            typer.echo(text, nl=False)
        else:
            out.write_text(text, encoding="utf-8", newline="\n")
    except NamesUnusable as error:
        raise typer.BadParameter(str(error), param_hint="--names") from None
    except OSError as error:
        raise typer.BadParameter(f"{out}: {error.strerror}", param_hint="--out") from None
    except NotWritable as error:
        ERR.print(f"gammon: {match}: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(FOUND_WRONG) from None


async def _read(endpoints: Endpoints, match: str) -> MatchRecord:
    async with match_service(endpoints) as client:
        return await read_stored(client, match)
