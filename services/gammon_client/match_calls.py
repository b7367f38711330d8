"""What all calls of the match service share: credentials, request ids, and the receipts that answers leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import uuid4

from grpc import aio

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import match_service_pb2_grpc
from gammon_client.calls import USUAL, Caller, Patience, Token


@dataclass(frozen=True, slots=True)
class Receipt:
    """The last event of a match that was seen: `sequence` from 1, its chain `hash` (32 bytes, or empty: not known)."""

    sequence: int
    hash: bytes = b""


@dataclass(slots=True)
class MatchCalls:
    """One identity over a channel that the caller owns, and the last event seen of each match, by match id."""

    channel: aio.Channel
    token: Token = field(repr=False)
    patience: Patience = USUAL
    receipts: dict[str, Receipt] = field(default_factory=dict)
    _stub: match_service_pb2_grpc.MatchServiceAsyncStub = field(init=False, repr=False)
    _caller: Caller = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._stub = match_service_pb2_grpc.MatchServiceStub(self.channel)
        self._caller = Caller(self.token, self.patience)

    def _seen(self, match: pb.Match) -> pb.Match:
        self._keep(match.match_id, Receipt(match.head.sequence, match.head.hash))
        return match

    def _keep_last(self, match_id: str, events: Sequence[pb.StoredEvent]) -> None:
        self._keep(match_id, Receipt(events[-1].sequence, events[-1].hash))

    def _keep(self, match_id: str, receipt: Receipt) -> None:
        known = self.receipts.get(match_id)
        if known is None or receipt.sequence > known.sequence:
            self.receipts[match_id] = receipt


def new_request_id() -> str:
    """A request id that nobody has used."""
    return uuid4().hex
