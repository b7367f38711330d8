"""Matches in lists, in words and as plain data."""

from __future__ import annotations

from typing import Any

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import settings_pb2 as rules_pb2

OPEN_SEAT = "-"


def status_word(status: events_pb2.MatchStatus.ValueType) -> str:
    """The status in a word."""
    if status not in events_pb2.MatchStatus.values():
        return str(status)
    return events_pb2.MatchStatus.Name(status).removeprefix("MATCH_STATUS_").replace("_", "-").lower()


def game_word(game: rules_pb2.Game.ValueType) -> str:
    """The game's name."""
    return (
        rules_pb2.Game.Name(game).removeprefix("GAME_").capitalize() if game in rules_pb2.Game.values() else str(game)
    )


def game_and_length(listing: pb.MatchListing) -> str:
    """The game, and the points of the match if it is one."""
    return f"{game_word(listing.game)} {listing.length}" if listing.length else game_word(listing.game)


def players_text(listing: pb.MatchListing) -> str:
    """The players by seat."""
    return ", ".join(player or OPEN_SEAT for player in listing.players)


def listing_to_json(listing: pb.MatchListing) -> dict[str, Any]:
    """Plain data."""
    return {
        "match": listing.match_id,
        "status": status_word(listing.status),
        "game": game_word(listing.game).lower(),
        "length": listing.length,
        "players": list(listing.players),
        "creator": listing.creator,
        "tags": list(listing.tags),
        "created": listing.create_time.ToJsonString(),
        "rated": listing.rated,
        "private": listing.private,
    }
