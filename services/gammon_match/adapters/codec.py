"""Stored bytes: the contract's envelope, settings and feed entry to and from this service's values."""

from typing import assert_never

from google.protobuf.message import DecodeError

from gammon.match.v1 import events_pb2 as pb
from gammon.match.v1 import settings_pb2
from gammon.rules.v1 import fact_pb2, state_pb2
from gammon_match.adapters.listing_codec import listing_of, read_listing
from gammon_match.adapters.table_event_codec import (
    nanoseconds,
    preferences_of,
    put_preferences,
    put_table_event,
    table_event,
)
from gammon_match.app.codec import Agreed, Ending, Unknown
from gammon_match.app.ports import DurabilityLevel
from gammon_match.core import events as core
from gammon_match.core.events import (
    BatchEnd,
    DiceDrawn,
    DrawRequested,
    Envelope,
    Ignorable,
    LawFact,
    MatchClosed,
    MatchCreated,
    MatchStarted,
    RecordClaimed,
    SeatTaken,
)
from gammon_match.core.listing import Listing
from gammon_match.core.match import Match
from gammon_match.core.table_events import NO_PREFERENCES, TableEvent
from gammon_match.core.terms import AbsenceTerms, ClockKind, ClockTerms, SeatTerms, Spectators

NS = 1_000_000_000
OFFERED = (state_pb2.PHASE_RESIGNING, state_pb2.PHASE_SETTLING)


class ProtobufCodec:
    """The codec over the contract's messages. Encoding happens once; stored bytes are never encoded again."""

    def encode(self, envelope: Envelope) -> bytes:
        """The bytes to store."""
        message = pb.Envelope(
            schema_version=core.SCHEMA_VERSION,
            request_id=envelope.request_id,
            source_line=envelope.source_line,
        )
        message.record_time.seconds, message.record_time.nanos = divmod(envelope.record_ns, NS)
        _put_actor(message.actor, envelope.actor)
        _put_event(message, envelope.event)
        if envelope.batch_end is not None:
            _put_end(message.batch_end, envelope.batch_end)
        return message.SerializeToString(deterministic=True)

    def decode(self, stored: bytes) -> Envelope | Unknown:
        """The value of stored bytes."""
        try:
            message = pb.Envelope.FromString(stored)
        except DecodeError as error:
            return Unknown(f"the bytes are no envelope: {error}")
        if message.schema_version != core.SCHEMA_VERSION:
            return Unknown(f"schema version {message.schema_version} is not known")
        try:
            event = _event(message)
        except ValueError as error:
            return Unknown(f"a value is not known to this version: {error}")
        if isinstance(event, Unknown):
            return event
        actor = _actor(message.actor)
        if isinstance(actor, Unknown):
            return actor
        end = _end(message.batch_end) if message.HasField("batch_end") else None
        if isinstance(end, Unknown):
            return end
        record_ns = message.record_time.seconds * NS + message.record_time.nanos
        return Envelope(record_ns, actor, message.request_id, event, end, message.source_line)

    def read_settings(self, settings: bytes) -> Agreed | Unknown:
        """What is read of a match's settings."""
        try:
            message = settings_pb2.MatchSettings.FromString(settings)
            source = core.DiceSource(message.dice or core.DiceSource.SERVICE)
            clock = _clock(message.clock)
            spectators = Spectators(message.spectators or Spectators.LIVE)
            durability = DurabilityLevel(message.durability.level) if message.durability.level else None
        except (DecodeError, ValueError) as error:
            return Unknown(f"the settings cannot be read: {error}")
        return Agreed(
            rules=message.rules.SerializeToString(deterministic=True),
            rules_version=message.rules_version,
            seats=message.rules.seats,
            seat_terms=tuple(SeatTerms(seat.player, seat.invited) for seat in message.seats),
            dice=source,
            clock=clock,
            absence=_absence(message),
            spectators=spectators,
            spectator_delay=message.spectator_delay,
            take_backs=message.take_backs,
            private=message.private,
            durability=durability,
        )

    def feed_entry(self, settings: bytes, ending: Ending) -> bytes:
        """The bytes of a feed entry of a match with these settings."""
        agreed = settings_pb2.MatchSettings.FromString(settings)
        entry = pb.FeedEntry(
            match_id=ending.match_id,
            sequence=ending.sequence,
            hash=ending.hash,
            players=ending.players,
            rules=agreed.rules,
            dice=agreed.dice,
            rated=agreed.rated,
            tags=agreed.tags,
        )
        entry.record_time.seconds, entry.record_time.nanos = divmod(ending.record_ns, NS)
        if ending.game_ended is not None:
            entry.kinds.append(pb.FEED_KIND_GAME_ENDED)
            entry.game.CopyFrom(fact_pb2.Fact.FromString(ending.game_ended).game_ended)
        if ending.play_ended is not None:
            entry.kinds.append(pb.FEED_KIND_MATCH_ENDED)
            entry.result.CopyFrom(fact_pb2.Fact.FromString(ending.play_ended).play_ended)
        if ending.corrects_from:
            entry.kinds.append(pb.FEED_KIND_CORRECTED)
            entry.corrects_from = ending.corrects_from
        return entry.SerializeToString(deterministic=True)

    def listing(self, match: Match) -> Listing:
        """A match's entry in lists, as it stands."""
        return listing_of(match)

    def read_listing(self, listing: bytes) -> Listing | Unknown:
        """The entry that stored bytes are."""
        return read_listing(listing)

    def is_end(self, fact: bytes) -> bool:
        """Whether a fact ends a game or a match, and so was told in the feed."""
        return fact_pb2.Fact.FromString(fact).WhichOneof("kind") in ("game_ended", "play_ended")


def _clock(message: settings_pb2.ClockSettings) -> ClockTerms:
    kind = ClockKind(message.kind or ClockKind.NONE)
    return ClockTerms(kind, nanoseconds(message.reserve), nanoseconds(message.per_move), message.claimed)


def _absence(message: settings_pb2.MatchSettings) -> AbsenceTerms:
    agreed = message.absence
    abandonment = nanoseconds(agreed.abandonment) if agreed.HasField("abandonment") else None
    return AbsenceTerms(abandonment, nanoseconds(agreed.pause_budget))


def standing_of(summary: state_pb2.Summary) -> core.Standing:
    """What the match service reads of a summary."""
    draw = None
    if summary.HasField("draw"):
        needed = summary.draw
        draw = core.Draw(needed.count, needed.purpose, tuple(needed.seats), needed.at_once)
    return core.Standing(
        phase=summary.phase,
        seats_to_act=tuple(summary.seats_to_act),
        draw=draw,
        over=summary.HasField("result"),
        raw=summary.SerializeToString(deterministic=True),
        offered=summary.phase in OFFERED,
    )


def _put_actor(message: pb.Actor, actor: core.Actor) -> None:
    match actor:
        case core.Seated(seat):
            message.seat = seat
        case core.Player(player):
            message.player = player
        case core.Operator(operator):
            message.operator = operator
        case core.System():
            message.system.SetInParent()
        case _:
            assert_never(actor)


def _actor(message: pb.Actor) -> core.Actor | Unknown:
    match message.WhichOneof("kind"):
        case "seat":
            return core.Seated(message.seat)
        case "player":
            return core.Player(message.player)
        case "operator":
            return core.Operator(message.operator)
        case "system":
            return core.System()
        case None:
            return Unknown("the event has no actor")


def _put_event(message: pb.Envelope, event: core.Event) -> None:
    if isinstance(event, TableEvent):
        put_table_event(message, event)
        return
    match event:
        case LawFact(fact):
            message.fact.MergeFromString(fact)
        case DrawRequested(draw, count, purpose, seat):
            asked = message.draw_requested
            asked.draw, asked.count = draw, count
            asked.purpose = state_pb2.DrawPurpose.ValueType(purpose)
            if seat is not None:
                asked.seat = seat
        case DiceDrawn(draw, faces, source):
            drawn = message.dice_drawn
            drawn.draw, drawn.source = draw, settings_pb2.DiceSource.ValueType(source)
            drawn.faces.extend(faces)
        case MatchCreated(settings, creator):
            message.match_created.settings, message.match_created.creator = settings, creator
        case SeatTaken(seat, player, public_key, accepted_settings, preferences):
            taken = message.seat_taken
            taken.seat, taken.player = seat, player
            taken.public_key, taken.accepted_settings = public_key, accepted_settings
            taken.SetInParent()
            if preferences != NO_PREFERENCES:
                put_preferences(taken.preferences, preferences)
        case MatchStarted(rules_version):
            message.match_started.rules_version = rules_version
        case RecordClaimed(claim):
            message.record_claimed.MergeFromString(claim)
            message.record_claimed.SetInParent()
        case MatchClosed(reason):
            message.match_closed.reason = pb.CloseReason.ValueType(reason)
        case Ignorable():
            raise ValueError("an event that is not known is never written")
        case _:
            assert_never(event)


def _event(message: pb.Envelope) -> core.Event | Unknown:
    match message.WhichOneof("event"):
        case "fact":
            return LawFact(message.fact.SerializeToString(deterministic=True))
        case "draw_requested":
            asked = message.draw_requested
            seat = asked.seat if asked.HasField("seat") else None
            return DrawRequested(asked.draw, asked.count, asked.purpose, seat)
        case "dice_drawn":
            drawn = message.dice_drawn
            return DiceDrawn(drawn.draw, tuple(drawn.faces), core.DiceSource(drawn.source))
        case "match_created":
            return MatchCreated(message.match_created.settings, message.match_created.creator)
        case "seat_taken":
            taken = message.seat_taken
            preferences = preferences_of(taken.preferences)
            return SeatTaken(taken.seat, taken.player, taken.public_key, taken.accepted_settings, preferences)
        case "match_started":
            return MatchStarted(message.match_started.rules_version)
        case "record_claimed":
            return RecordClaimed(message.record_claimed.SerializeToString(deterministic=True))
        case "match_closed":
            return MatchClosed(core.CloseReason(message.match_closed.reason))
        case kind:
            known = table_event(message)
            if known is not None:
                return known
            if message.may_ignore:
                return Ignorable()
            return Unknown(f"the event {kind or 'of an unknown type'} is not known to this version")


def _put_end(message: pb.BatchEnd, end: BatchEnd) -> None:
    message.request_digest = end.request_digest
    message.state = end.state
    if end.standing is not None:
        message.summary.MergeFromString(end.standing.raw)
    message.status = pb.MatchStatus.ValueType(end.status)
    message.draws = end.draws
    message.seats_sequence = end.seats_sequence


def _end(message: pb.BatchEnd) -> BatchEnd | Unknown:
    try:
        status = core.Status(message.status)
    except ValueError:
        return Unknown(f"match status {message.status} is not known")
    return BatchEnd(
        request_digest=message.request_digest,
        state=message.state,
        standing=standing_of(message.summary) if message.HasField("summary") else None,
        status=status,
        draws=message.draws,
        seats_sequence=message.seats_sequence,
    )
