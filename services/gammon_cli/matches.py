"""`gammon matches`: the matches of a store, by player, tag, status, game and time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

import typer
from rich.table import Column, Table
from rich.text import Text

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import settings_pb2 as rules_pb2
from gammon_cli.endpoints import Endpoints, read_endpoints
from gammon_cli.listings import game_and_length, listing_to_json, players_text, status_word
from gammon_cli.screen import OUT, EndpointsOption, JsonOption, TlsCaOption, print_json, told
from gammon_cli.stored_match import match_service

# Narrower than this, the table has no room for when a match was created.
WIDE = 100
TIME_FORMATS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]


class StatusWord(StrEnum):
    """Where a match is in its life; of those played it includes those that wait for dice."""

    SEATING = "seating"
    PLAYING = "playing"
    AWAITING_DRAW = "awaiting-draw"
    PAUSED = "paused"
    CLOSED = "closed"


class GameWord(StrEnum):
    """A game."""

    BACKGAMMON = "backgammon"
    TRACKGAMMON = "trackgammon"
    CATCHGAMMON = "catchgammon"
    RUNGAMMON = "rungammon"
    GAMMON = "gammon"


def matches(
    player: Annotated[str, typer.Option(help="Whose: a seat is held by, or kept for, this player.")] = "",
    tag: Annotated[str, typer.Option(help="With this tag, such as a tournament's id.")] = "",
    status: Annotated[StatusWord | None, typer.Option(help="In this state.", show_default=False)] = None,
    game: Annotated[GameWord | None, typer.Option(help="Of this game.", show_default=False)] = None,
    since: Annotated[
        datetime | None, typer.Option(formats=TIME_FORMATS, help="Created then or later, UTC.", show_default=False)
    ] = None,
    until: Annotated[
        datetime | None, typer.Option(formats=TIME_FORMATS, help="Created before then, UTC.", show_default=False)
    ] = None,
    endpoints: EndpointsOption = None,
    tls_ca: TlsCaOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the matches that fit in every way that is given; with --json one line a match."""

    async def found(endpoints: Endpoints) -> list[pb.MatchListing]:
        async with match_service(endpoints) as client:
            listed = client.list_matches(
                player=player,
                tag=tag,
                status=events_pb2.MatchStatus.Value(f"MATCH_STATUS_{status.name if status else 'UNSPECIFIED'}"),
                game=rules_pb2.Game.Value(f"GAME_{game.name if game else 'UNSPECIFIED'}"),
                created_from=_utc(since),
                created_before=_utc(until),
            )
            return [listing async for listing in listed]

    with told():
        listings = asyncio.run(found(read_endpoints(endpoints, tls_ca)))
    if as_json:
        for listing in listings:
            print_json(listing_to_json(listing))
    elif listings:
        OUT.print(matches_table(listings, with_time=OUT.width >= WIDE))
    else:
        OUT.print("There are no such matches.")


def matches_table(listings: Iterable[pb.MatchListing], *, with_time: bool) -> Table:
    """A line a match, and more where many play; 80 columns are enough without the time."""
    # Ids are for copying, so they stay in one piece.
    table = Table(Column("match", no_wrap=True), "status", "game", Column("players", overflow="fold"), box=None)
    if with_time:
        table.add_column("created (UTC)", no_wrap=True)
    for listing in listings:
        created = listing.create_time.ToDatetime().strftime("%Y-%m-%d %H:%M")
        texts = (listing.match_id, status_word(listing.status), game_and_length(listing), players_text(listing))
        table.add_row(*map(Text, (*texts, created) if with_time else texts))
    return table


def _utc(time: datetime | None) -> datetime | None:
    return None if time is None else time.replace(tzinfo=UTC)
