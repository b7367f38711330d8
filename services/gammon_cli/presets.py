"""`gammon presets`: settings that people play by."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

import typer
from google.protobuf.json_format import MessageToDict
from rich import box
from rich.table import Column, Table

from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import settings_pb2 as rules_pb
from gammon_cli.endpoints import Endpoints, read_endpoints
from gammon_cli.screen import OUT, EndpointsOption, JsonOption, TlsCaOption, print_json, told
from gammon_cli.stored_match import match_service
from gammon_engine.settings import GameId
from gammon_wire.words import GAMES


def presets(
    game: Annotated[GameId | None, typer.Option(help="Only of this game; gammon is the mixed match.")] = None,
    endpoints: EndpointsOption = None,
    tls_ca: TlsCaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show settings that people play by, for `gammon create`; with --json one line a preset, settings and all."""
    with told():
        found = asyncio.run(_read(read_endpoints(endpoints, tls_ca), game))
    if as_json:
        for preset in found:
            settings = MessageToDict(preset.settings, preserving_proto_field_name=True)
            print_json({"name": preset.name, "description": preset.description, "settings": settings})
    else:
        _show(found)


def _show(found: Sequence[pb.Preset]) -> None:
    # A name is for copying, so none of it is cut off.
    name = Column("preset", no_wrap=True)
    table = Table(name, "seats", "what it is", box=box.SIMPLE_HEAD)
    for preset in found:
        table.add_row(preset.name, str(preset.settings.rules.seats), preset.description)
    OUT.print(table, highlight=False)


async def _read(endpoints: Endpoints, game: GameId | None) -> list[pb.Preset]:
    async with match_service(endpoints) as client:
        return await client.presets(rules_pb.GAME_UNSPECIFIED if game is None else GAMES[game])
