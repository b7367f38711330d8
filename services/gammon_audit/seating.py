"""A match's life around the law: who created it, who sits where, whether it runs or is closed."""

import hashlib

from gammon.match.v1 import events_pb2
from gammon_audit.acting import reason_fault
from gammon_audit.envelopes import Agreed, Parsed
from gammon_audit.rematch_check import rematch_fault

KEY_SIZE = 32


class Seating:
    """Folds the events of one match; every method says what is wrong, empty if nothing is."""

    def __init__(self, agreed: Agreed) -> None:
        """Starts before the first event of a match with these settings."""
        self._agreed = agreed
        self._players: dict[int, str] = {}
        self._keys: set[int] = set()
        self._seats_sequence = 0
        self._status: int = events_pb2.MATCH_STATUS_SEATING

    def take_in(self, event: Parsed) -> str:
        """Takes in one more event."""
        envelope = event.envelope
        fault = self._envelope_fault(envelope)
        if fault:
            return fault
        match event.kind:
            case "match_created":
                return self._created(envelope)
            case "seat_taken":
                return self._taken(event)
            case "preferences_set":
                return self._preferring(envelope)
            case "match_started":
                return self._started(envelope.match_started)
            case "record_claimed":
                return "" if self._agreed.imported else "a claim of a record stands in a match that was played here"
            case "match_paused":
                self._status = events_pb2.MATCH_STATUS_PAUSED
            case "match_resumed":
                self._status = events_pb2.MATCH_STATUS_PLAYING
            case "player_replaced":
                return self._replaced(event)
            case "match_closed":
                return self._closed(envelope)
        return ""

    def at_end(self, end: events_pb2.BatchEnd) -> str:
        """Compares what the end of a batch says of the match's life."""
        if end.status != self._status:
            claimed, expected = (_status_name(status) for status in (end.status, self._status))
            return f"the batch says that the match is {claimed}, it is {expected}"
        if end.seats_sequence != self._seats_sequence:
            return f"the seats changed last with event {self._seats_sequence}, not {end.seats_sequence}"
        return ""

    def _envelope_fault(self, envelope: events_pb2.Envelope) -> str:
        if self._agreed.imported:
            if not envelope.actor.HasField("operator"):
                return "a match played elsewhere is recorded by an operator"
        elif envelope.source_line:
            return "it names the line of a file, and the match was played here"
        if envelope.HasField("signed_act") and envelope.actor.seat not in self._keys:
            return "it is signed, and its seat has no key"
        return ""

    def _created(self, envelope: events_pb2.Envelope) -> str:
        actor = envelope.actor
        match actor.WhichOneof("kind"):
            case "player":
                by = actor.player
            case "operator":
                by = actor.operator
            case _:
                return "a match is created by a player or an operator"
        creator = envelope.match_created.creator
        if by != creator:
            return f"{by!r} created it in the name of {creator!r}"
        return rematch_fault(self._agreed)

    def _taken(self, event: Parsed) -> str:
        taken, actor = event.envelope.seat_taken, event.envelope.actor
        agreed, seat = self._agreed, taken.seat
        if self._status != events_pb2.MATCH_STATUS_SEATING or seat in self._players or seat >= agreed.rules.seats:
            return f"seat {seat} cannot be taken here"
        self._players[seat] = taken.player
        self._seats_sequence = event.sequence
        if not agreed.imported and not actor.HasField("player"):
            return f"seat {seat} is taken by somebody who is no player"
        if not agreed.imported and actor.player != taken.player:
            return f"{actor.player!r} seats {taken.player!r}"
        # Whoever recorded a match that was played elsewhere cannot say what its players accepted.
        accepted = taken.accepted_settings
        if not accepted and not agreed.imported:
            return f"seat {seat} was taken without accepted settings, as before those were stored"
        if accepted and accepted != hashlib.sha256(agreed.settings).digest():
            return f"seat {seat} accepted other settings"
        if len(taken.public_key) not in (0, KEY_SIZE):
            return f"the key of seat {seat} has {len(taken.public_key)} bytes"
        if taken.public_key:
            self._keys.add(seat)
        if agreed.message.seats and not agreed.imported:
            return self._reserved(taken)
        return ""

    def _replaced(self, event: Parsed) -> str:
        replaced, actor = event.envelope.player_replaced, event.envelope.actor
        if not actor.HasField("operator") or self._agreed.imported:
            return "only an operator replaces a player, and only in a match that is played here"
        seat, player = replaced.seat, replaced.player
        if seat not in self._players or not player or self._players[seat] == player:
            return f"seat {seat} is held by another before {player!r} takes it over"
        if len(replaced.public_key) not in (0, KEY_SIZE):
            return f"the key of seat {seat} has {len(replaced.public_key)} bytes"
        self._players[seat] = player
        self._keys.discard(seat)
        if replaced.public_key:
            self._keys.add(seat)
        self._seats_sequence = event.sequence
        return reason_fault(replaced.reason)

    def _reserved(self, taken: events_pb2.SeatTaken) -> str:
        seats = self._agreed.message.seats
        if len(seats) != self._agreed.rules.seats:
            return f"{len(seats)} seats were agreed for a match of {self._agreed.rules.seats}"
        agreed = seats[taken.seat]
        if agreed.player not in ("", taken.player):
            return f"seat {taken.seat} is reserved for {agreed.player!r}, not for {taken.player!r}"
        if agreed.signed and not taken.public_key:
            return f"seat {taken.seat} has to bring a key"
        return ""

    def _preferring(self, envelope: events_pb2.Envelope) -> str:
        seat, actor = envelope.preferences_set.seat, envelope.actor
        if seat in self._players and actor.HasField("seat") and actor.seat == seat:
            return ""
        return f"the preferences of seat {seat} are set by somebody else"

    def _started(self, started: events_pb2.MatchStarted) -> str:
        if self._status != events_pb2.MATCH_STATUS_SEATING or len(self._players) != self._agreed.rules.seats:
            return "a match starts once, when all seats are taken"
        self._status = events_pb2.MATCH_STATUS_PLAYING
        pinned = self._agreed.message.rules_version
        if started.rules_version != pinned:
            return f"it starts with rules version {started.rules_version!r}, agreed was {pinned!r}"
        return ""

    def _closed(self, envelope: events_pb2.Envelope) -> str:
        self._status = events_pb2.MATCH_STATUS_CLOSED
        by_operator = envelope.actor.HasField("operator")
        match envelope.match_closed.reason:
            case events_pb2.CLOSE_REASON_PLAYED:
                return ""
            case events_pb2.CLOSE_REASON_OPERATOR:
                return "" if by_operator else "it was closed as by an operator, and not by one"
            case events_pb2.CLOSE_REASON_RECORD_ENDS:
                return "" if by_operator and self._agreed.imported else "only a record that was imported can end"
            case unknown:
                return f"it was closed for the unknown reason {unknown}"


def _status_name(status: int) -> str:
    try:
        name = events_pb2.MatchStatus.Name(events_pb2.MatchStatus.ValueType(status))
    except ValueError:
        return f"in the unknown status {status}"
    return name.removeprefix("MATCH_STATUS_").lower().replace("_", " ")
