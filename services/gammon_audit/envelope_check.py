"""What must hold of the envelopes whatever the game: batches, time, who, and the match's life around the law."""

from gammon.match.v1 import events_pb2
from gammon_audit.envelopes import ENVELOPES, Parsed, Reading
from gammon_audit.report import Check, failed, not_checked, passed
from gammon_audit.seating import Seating

DIGEST_SIZE = 16
# What the fold of a match cannot do without, whatever an event says of itself.
BINDING = frozenset(
    {
        "match_created",
        "seat_taken",
        "match_started",
        "draw_requested",
        "dice_drawn",
        "fact",
        "director_ruled",
        "taken_back",
        "player_replaced",
        "match_paused",
        "match_resumed",
        "pause_asked",
        "clock_stamped",
        "flag_fell",
        "absence_timed",
        "take_back_proposed",
        "take_back_answered",
        "preferences_set",
        "acted_by_system",
        "match_closed",
    }
)
# The years 1970 to 9999, which a timestamp can be written for.
SECONDS = 253_402_300_800
NANOS = 1_000_000_000


def check_envelopes(reading: Reading) -> Check:
    """One request is one batch, time never runs back, seats and status are as told, and nothing follows the end."""
    batches = _Batches()
    seating = Seating(reading.agreed) if not isinstance(reading.agreed, str) else None
    for event in reading.parsed:
        fault = batches.take_in(event) or (seating.take_in(event) if seating is not None else "")
        if not fault and event.envelope.HasField("batch_end"):
            end = event.envelope.batch_end
            if len(end.request_digest) != DIGEST_SIZE:
                fault = f"its request digest has {len(end.request_digest)} bytes"
            elif seating is not None:
                fault = seating.at_end(end)
        if fault:
            return failed(ENVELOPES, event.sequence, fault)
    if reading.unreadable is not None:
        return reading.unreadable
    if not reading.whole:
        return not_checked(ENVELOPES, reading.judged)
    if seating is None:
        return failed(ENVELOPES, 1, str(reading.agreed))
    if batches.open_request:
        return failed(ENVELOPES, len(reading.parsed) + 1, f"the batch of request {batches.open_request!r} has no end")
    return passed(ENVELOPES, f"{batches.count} batches")


class _Batches:
    """Folds order, time and requests. `open_request`: the request whose batch has no end yet."""

    def __init__(self) -> None:
        self.open_request = ""
        self._seen: set[str] = set()
        self._actor = events_pb2.Actor()
        self._time = (0, 0)
        self._closed_at = 0

    @property
    def count(self) -> int:
        return len(self._seen)

    def take_in(self, event: Parsed) -> str:
        envelope = event.envelope
        fault = self._place_fault(event) or self._time_fault(envelope) or self._request_fault(envelope)
        if event.kind == "match_closed":
            self._closed_at = event.sequence
        if envelope.HasField("batch_end"):
            self._seen.add(envelope.request_id)
            self.open_request = ""
        else:
            self.open_request = envelope.request_id
        return fault

    def _place_fault(self, event: Parsed) -> str:
        if self._closed_at:
            return f"the match was closed by event {self._closed_at}"
        if (event.sequence == 1) != (event.kind == "match_created"):
            return "a match is created by its first event, and only by that"
        if event.envelope.may_ignore and event.kind in BINDING:
            return f"nobody may ignore the event {event.kind}"
        return ""

    def _time_fault(self, envelope: events_pb2.Envelope) -> str:
        seconds, nanos = at = (envelope.record_time.seconds, envelope.record_time.nanos)
        if not (envelope.HasField("record_time") and 0 <= seconds < SECONDS and 0 <= nanos < NANOS):
            return "it has no record time"
        if at < self._time:
            return "it was recorded before the event it follows"
        self._time = at
        return ""

    def _request_fault(self, envelope: events_pb2.Envelope) -> str:
        request, actor = envelope.request_id, envelope.actor
        if not request:
            return "it has no request id"
        if actor.WhichOneof("kind") is None:
            return "it has no actor"
        if self.open_request:
            if request != self.open_request:
                return f"the batch of request {self.open_request!r} has no end"
            return "" if actor == self._actor else "a batch has one actor"
        self._actor = actor
        return f"request {request!r} has a batch already" if request in self._seen else ""
