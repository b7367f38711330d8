"""`gammon ratings`: the leaders of a pool, or one player."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.table import Column, Table
from rich.text import Text

from gammon.rating.v1 import rating_service_pb2 as pb
from gammon_cli.endpoints import Endpoints, read_endpoints
from gammon_cli.screen import OUT, EndpointsOption, JsonOption, TlsCaOption, print_json, told
from gammon_client.rating_client import RatingClient

MAIN = "main"


def ratings(
    player: Annotated[str, typer.Argument(help="A player; without one, the leaders.")] = "",
    pool: Annotated[str, typer.Option(help="The pool: main, or imported.")] = MAIN,
    most: Annotated[int, typer.Option(min=1, max=1000, help="How many leaders.")] = 20,
    endpoints: EndpointsOption = None,
    tls_ca: TlsCaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show ratings: the leaders of a pool, or one player; with --json one line a player."""
    with told():
        found = asyncio.run(_read(read_endpoints(endpoints, tls_ca), player, pool, most))
    if as_json:
        for rating in found:
            print_json(_plain(rating))
    else:
        show_ratings(found, pool)


def show_ratings(found: Sequence[pb.Rating], pool: str) -> None:
    """A table of ratings."""
    # References are for copying, so none of one is cut off.
    player = Column("player", overflow="fold")
    table = Table("place", player, "rating", "experience", "rated", title=f"ratings, pool {pool}")
    for rating in found:
        values = (str(rating.place), Text(rating.player), f"{rating.value:.2f}", str(rating.experience))
        table.add_row(*values, str(rating.rated))
    OUT.print(table)


async def _read(endpoints: Endpoints, player: str, pool: str, most: int) -> list[pb.Rating]:
    async with endpoints.channel("rating") as channel:
        client = RatingClient(channel, endpoints.token)
        return [await client.rating(player, pool)] if player else await client.leaders(pool, most)


def _plain(rating: pb.Rating) -> dict[str, object]:
    return {
        "place": rating.place,
        "player": rating.player,
        "pool": rating.pool,
        "rating": rating.value,
        "experience": rating.experience,
        "rated": rating.rated,
    }
