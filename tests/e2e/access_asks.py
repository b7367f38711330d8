"""One well-formed request for each call, and what its answer amounts to."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.e2e.access_stages import Scene, settings
from tests.e2e.play import ROLL

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import action_pb2

OK, NOTHING, EARLIER = "OK", "NOTHING", "EARLIER"


@dataclass(frozen=True, slots=True)
class Asked:
    """About which match (as it stands, to officials) and seat, under which request id, something is asked."""

    scene: Scene
    match: pb.Match
    seat: int
    request_id: str

    def about(self, request: Any, *fields: str) -> Any:
        """The request with these fields filled in, and the match."""
        request.match_id = self.match.match_id
        for field in fields:
            setattr(request, field, self.match.head.sequence if field == "seen_sequence" else getattr(self, field))
        return request


# A message, or several to a call that streams its requests.
Ask: TypeAlias = Callable[[Asked], Any]
Judge: TypeAlias = Callable[[Asked, Sequence[Any]], str]

# -- What answers amount to


def given(_asked: Asked, _answers: Sequence[Any]) -> str:
    """There is an answer."""
    return OK


def at_head(asked: Asked, answers: Sequence[pb.GetMatchResponse]) -> str:
    """The match as it stands, or as it stood earlier."""
    return OK if answers[0].match.head == asked.match.head else EARLIER


def whole(asked: Asked, answers: Sequence[pb.ListEventsResponse]) -> str:
    """All events, or the earlier ones."""
    listed = answers[0]
    assert listed.head.sequence == listed.events[-1].sequence
    return OK if listed.head == asked.match.head else EARLIER


def listed(asked: Asked, answers: Sequence[pb.ListMatchesResponse]) -> str:
    """The match, or a list without it."""
    return OK if asked.match.match_id in [listing.match_id for listing in answers[0].matches] else NOTHING


def told(asked: Asked, answers: Sequence[pb.WatchMatchesResponse]) -> str:
    """The match, or a set without it."""
    return OK if asked.match.match_id in [update.match_id for update in answers] else NOTHING


# -- The match service


def presets(_asked: Asked) -> Any:
    return pb.ListPresetsRequest()


def create(asked: Asked) -> Any:
    return pb.CreateMatchRequest(request_id=asked.request_id, settings=settings(asked.scene))


def take_seat(asked: Asked) -> Any:
    accepted = asked.match.settings_sha256
    return asked.about(pb.TakeSeatRequest(accepted_settings=accepted), "seat", "request_id")


def preferences(asked: Asked) -> Any:
    wish = settings_pb2.SeatPreferences(roll_without_choice=True)
    return asked.about(pb.SetPreferencesRequest(preferences=wish), "seat", "request_id")


def act(asked: Asked) -> Any:
    return asked.about(pb.ActRequest(action=ROLL), "seat", "request_id", "seen_sequence")


def preview(asked: Asked) -> Any:
    return asked.about(pb.PreviewActRequest(action=action_pb2.Action(resign=action_pb2.Resign(level=1))), "seat")


def commit_dice(asked: Asked) -> Any:
    return asked.about(pb.CommitDiceRequest(epoch=1, tip=bytes(32)), "seat", "request_id")


def contribute(asked: Asked) -> Any:
    return asked.about(pb.ContributeDrawRequest(draw=1, link=bytes(32)), "seat", "request_id")


def get(asked: Asked) -> Any:
    return asked.about(pb.GetMatchRequest())


def get_first(asked: Asked) -> Any:
    return asked.about(pb.GetMatchRequest(at_sequence=1))


def get_head(asked: Asked) -> Any:
    return asked.about(pb.GetMatchRequest(at_sequence=asked.match.head.sequence))


def events(asked: Asked) -> Any:
    return asked.about(pb.ListEventsRequest())


def list_tagged(asked: Asked) -> Any:
    return pb.ListMatchesRequest(tag=asked.scene.tag)


def list_of(asked: Asked) -> Any:
    return pb.ListMatchesRequest(player=asked.scene.person("alice"))


def watch(asked: Asked) -> Any:
    return asked.about(pb.WatchMatchRequest())


def watch_beyond(asked: Asked) -> Any:
    # Whoever has not seen so much knows from its own head that there is no such event; others are to learn nothing.
    return asked.about(pb.WatchMatchRequest(after_sequence=asked.match.head.sequence + 1))


def watch_tagged(asked: Asked) -> Any:
    return pb.WatchMatchesRequest(tag=asked.scene.tag)


def watch_of(asked: Asked) -> Any:
    return pb.WatchMatchesRequest(player=asked.scene.person("alice"))


def feed(_asked: Asked) -> Any:
    return pb.ReadFeedRequest(once=True)


def imported(asked: Asked) -> Any:
    record = settings(asked.scene)
    record.ClearField("take_backs")
    record.dice = settings_pb2.DICE_SOURCE_RECORDED
    header = pb.ImportHeader(
        settings=record,
        players=[asked.scene.person(name) for name in ("alice", "bob")],
        source_sha256=hashlib.sha256(asked.request_id.encode()).digest(),
    )
    opening = action_pb2.Action(seat=0, roll=action_pb2.Roll(dice=[3, 1]))
    return [
        pb.ImportMatchRequest(header=header),
        pb.ImportMatchRequest(act=pb.RecordedAct(action=opening, line=1)),
        pb.ImportMatchRequest(end=pb.RecordEnd()),
    ]


def direct(asked: Asked) -> Any:
    request = pb.DirectMatchRequest(reason=events_pb2.DIRECTOR_REASON_TECHNICAL, pause=pb.PauseRuling())
    return asked.about(request, "request_id", "seen_sequence")


def take_back(asked: Asked) -> Any:
    # The roll is one batch behind the start: created, two seats, started.
    return asked.about(pb.TakeBackRequest(propose_to_sequence=4), "seat", "request_id", "seen_sequence")


def pause(asked: Asked) -> Any:
    return asked.about(pb.PauseMatchRequest(), "seat", "request_id")


def claim(asked: Asked) -> Any:
    return asked.about(pb.ClaimLapseRequest(), "seat", "request_id", "seen_sequence")


def rematch(asked: Asked) -> Any:
    return asked.about(pb.RematchRequest(), "request_id")


def invite(asked: Asked) -> Any:
    return asked.about(pb.InvitePlayerRequest(seat=1), "request_id")
