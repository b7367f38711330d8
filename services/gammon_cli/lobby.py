"""`gammon lobby`: the matches of a set as they come, change and go, until Ctrl-C."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_cli.endpoints import Endpoints, read_endpoints
from gammon_cli.listings import game_and_length, listing_to_json, players_text, status_word
from gammon_cli.matches import matches_table
from gammon_cli.screen import OUT, EndpointsOption, JsonOption, TlsCaOption, print_json, told
from gammon_cli.stored_match import match_service


def lobby(
    player: Annotated[str, typer.Option(help="Only this player's matches; one's own with the private ones.")] = "",
    tag: Annotated[str, typer.Option(help="Only matches with this tag.")] = "",
    endpoints: EndpointsOption = None,
    tls_ca: TlsCaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Watch the open matches: all public ones, a player's, or those of a tag; with --json one line a change."""
    with told():
        asyncio.run(_watch(read_endpoints(endpoints, tls_ca), player, tag, as_json))


async def _watch(endpoints: Endpoints, player: str, tag: str, as_json: bool) -> None:
    listings: dict[str, pb.MatchListing] = {}
    live = Live(console=OUT, auto_refresh=False) if OUT.is_terminal and not as_json else None
    async with match_service(endpoints) as client:
        if live is not None:
            live.start()
        try:
            async for update in client.watch_matches(player=player, tag=tag):
                if as_json:
                    print_json(_plain(update))
                elif live is None:
                    OUT.print(_line(update), markup=False, highlight=False, soft_wrap=True)
                else:
                    _take_in(listings, update)
                    live.update(_screen(listings), refresh=True)
        finally:
            if live is not None:
                live.stop()


def _take_in(listings: dict[str, pb.MatchListing], update: pb.WatchMatchesResponse) -> None:
    if update.HasField("listing") and update.status != events_pb2.MATCH_STATUS_CLOSED:
        listings[update.match_id] = update.listing
    else:
        listings.pop(update.match_id, None)


def _screen(listings: dict[str, pb.MatchListing]) -> RenderableType:
    title = Text(f" Open matches: {len(listings)}; Ctrl-C ends", style="bold")
    # The newest first: a screen may have room for some only.
    newest = sorted(listings.values(), key=lambda listing: listing.create_time.ToNanoseconds(), reverse=True)
    return Group(title, matches_table(newest[: max(OUT.height - 3, 1)], with_time=False)) if listings else title


def _line(update: pb.WatchMatchesResponse) -> str:
    if not update.match_id:
        return "These are all that are open; what follows are changes."
    parts = [update.match_id, status_word(update.status)]
    if update.HasField("listing"):
        parts += [game_and_length(update.listing), players_text(update.listing)]
    if update.HasField("head"):
        parts.append(f"event {update.head.sequence}")
    return "  ".join(parts)


def _plain(update: pb.WatchMatchesResponse) -> dict[str, object]:
    """Plain data; without a match once all that are open have been told."""
    if not update.match_id:
        return {"all_told": True}
    told_of: dict[str, object] = {"match": update.match_id, "status": status_word(update.status)}
    if update.HasField("head"):
        told_of |= {"sequence": update.head.sequence, "hash": update.head.hash.hex()}
    return told_of | {"listing": listing_to_json(update.listing) if update.HasField("listing") else None}
