"""A record as the parts of an import: facts and line numbers, no names and no text of the file."""

from __future__ import annotations

from collections.abc import Sequence

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import play_pb2
from gammon_engine.referee.actions import Open
from gammon_engine.settings import MatchPlay
from gammon_records.record import Acted, Claimed, Record
from gammon_wire.actions import action_to_proto
from gammon_wire.settings import settings_to_proto


def import_parts(record: Record, source_sha256: bytes, players: Sequence[str]) -> list[pb.ImportMatchRequest]:
    """All parts, the header first. `source_sha256`: 32 bytes of the file; `players`: opaque references by seat."""
    settings = settings_pb2.MatchSettings(
        rules=settings_to_proto(record.settings), dice=settings_pb2.DICE_SOURCE_RECORDED
    )
    header = pb.ImportHeader(settings=settings, players=players, source_sha256=source_sha256, line=record.first_line)
    is_match = isinstance(record.settings.play, MatchPlay)
    return [
        pb.ImportMatchRequest(header=header),
        *(_act(part) if isinstance(part, Acted) else _claim(part, is_match) for part in record.parts),
        pb.ImportMatchRequest(end=pb.RecordEnd(line=record.last_line)),
    ]


def _act(acted: Acted) -> pb.ImportMatchRequest:
    action = action_to_proto(acted.action)
    if isinstance(acted.action, Open):
        # Any seat may ask for the opening throw; the lowest does.
        action.seat = 0
    return pb.ImportMatchRequest(act=pb.RecordedAct(action=action, line=acted.line))


def _claim(claimed: Claimed, is_match: bool) -> pb.ImportMatchRequest:
    lost = 0 if is_match else -claimed.points
    points = [claimed.points if seat == claimed.winner else lost for seat in (0, 1)]
    claim = events_pb2.RecordClaimed(
        winners=[claimed.winner],
        points=[play_pb2.Points(numerator=own) for own in points],
        ends_match=claimed.ends_match,
        lawful=claimed.lawful,
    )
    return pb.ImportMatchRequest(claim=claim, line=claimed.line)
