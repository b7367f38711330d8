"""Entries of matches in lists: the contract's message to and from this service's values."""

from google.protobuf.message import DecodeError

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon_match.app.codec import Unknown
from gammon_match.core.events import Status
from gammon_match.core.listing import Listing
from gammon_match.core.match import Match

NS = 1_000_000_000


def listing_of(match: Match) -> Listing:
    """The entry of a match as it stands. The match id stays out of its bytes: rows are found by it."""
    settings = settings_pb2.MatchSettings.FromString(match.settings)
    entry = pb.MatchListing(
        status=events_pb2.MatchStatus.ValueType(match.status),
        players=[_player(settings, match, seat) for seat in range(settings.rules.seats)],
        game=settings.rules.game,
        tags=settings.tags,
        private=settings.private,
        rated=settings.rated,
        length=settings.rules.match.points,
        creator=match.creator,
    )
    entry.create_time.seconds, entry.create_time.nanos = divmod(match.created_ns, NS)
    return _value(entry, match.status, entry.SerializeToString(deterministic=True))


def read_listing(stored: bytes) -> Listing | Unknown:
    """The entry that stored bytes are."""
    try:
        entry = pb.MatchListing.FromString(stored)
        return _value(entry, Status(entry.status), stored)
    except (DecodeError, ValueError) as error:
        return Unknown(f"the entry cannot be read: {error}")


def _player(settings: settings_pb2.MatchSettings, match: Match, seat: int) -> str:
    holder = match.holder(seat)
    if holder is not None:
        return holder.player
    return settings.seats[seat].player if seat < len(settings.seats) else ""


def _value(entry: pb.MatchListing, status: Status, raw: bytes) -> Listing:
    return Listing(
        status=status,
        players=tuple(entry.players),
        creator=entry.creator,
        game=entry.game,
        tags=tuple(entry.tags),
        created_ns=entry.create_time.seconds * NS + entry.create_time.nanos,
        private=entry.private,
        raw=raw,
    )
