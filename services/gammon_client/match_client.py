"""The match service as a client sees it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeAlias

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import action_pb2
from gammon_client.calls import Metadata, Patience
from gammon_client.making import MakingCalls
from gammon_client.match_calls import Receipt, new_request_id
from gammon_client.match_lists import MatchLists
from gammon_client.table_calls import TableCalls
from gammon_client.timing import TimingCalls
from gammon_client.watching import watch

__all__ = ["DirectorRuling", "MatchClient", "Receipt", "RecordPart", "StoredEvents", "new_request_id"]

RecordPart: TypeAlias = pb.RecordedAct | events_pb2.RecordClaimed
# What a director may rule; an action is one of those that the law judges, such as voiding a game.
DirectorRuling: TypeAlias = (
    action_pb2.Action | pb.TakeBackRuling | pb.ReplaceRuling | pb.PauseRuling | pb.ResumeRuling | pb.CloseRuling
)

PAGE = 1000
# A whole record is judged before anything of it is stored.
IMPORT_PATIENCE = Patience(deadline_s=60.0, budget_s=120.0)


@dataclass(frozen=True, slots=True)
class StoredEvents:
    """All events of a match after a sequence, as stored, and the head record as stored (None: there is none)."""

    events: tuple[pb.StoredEvent, ...]
    head: pb.Head | None


@dataclass(slots=True)
class MatchClient(MakingCalls, TableCalls, TimingCalls, MatchLists):
    """Calls the match service with one identity, over a channel that the caller owns.

    Every method raises `LedgerError` by reason. What the service cannot settle is asked again with the same request
    id, so a call that changes something happens once. `receipts`: the last event seen of each match, by match id.
    """

    async def act(
        self,
        match_id: str,
        seat: int,
        action: action_pb2.Action,
        *,
        request_id: str = "",
        seen: Receipt | None = None,
        durability: settings_pb2.Durability | None = None,
    ) -> pb.ActResponse:
        """Acts for a seat, once. `seen`: what the decision was made on; else the match's receipt.

        A match of which nothing was seen yet is read first. After `Conflict` the receipt is as before: read the match,
        and decide anew.
        """
        known = seen or await self._known(match_id)
        request = pb.ActRequest(
            match_id=match_id,
            seat=seat,
            request_id=request_id or new_request_id(),
            seen_sequence=known.sequence,
            seen_hash=known.hash,
            action=action,
            durability=durability,
        )

        async def attempt(metadata: Metadata, seconds: float) -> pb.ActResponse:
            return await self._stub.Act(request, metadata=metadata, timeout=seconds)

        response = await self._caller.call(attempt)
        self._keep_last(match_id, response.events)
        return response

    async def direct_match(
        self,
        match_id: str,
        ruling: DirectorRuling,
        reason: events_pb2.DirectorReason.ValueType,
        *,
        request_id: str = "",
        seen: Receipt | None = None,
    ) -> pb.DirectMatchResponse:
        """Rules as a director, once, on the match as it stood at `seen`; else at the match's receipt.

        After `Conflict` the match has gone on: read it, and decide anew.
        """
        known = seen or await self._known(match_id)
        request = pb.DirectMatchRequest(
            match_id=match_id,
            request_id=request_id or new_request_id(),
            seen_sequence=known.sequence,
            seen_hash=known.hash,
            reason=reason,
        )
        match ruling:
            case action_pb2.Action():
                request.action.CopyFrom(ruling)
            case pb.TakeBackRuling():
                request.take_back.CopyFrom(ruling)
            case pb.CloseRuling():
                request.close.CopyFrom(ruling)
            case pb.ReplaceRuling():
                request.replace.CopyFrom(ruling)
            case pb.PauseRuling():
                request.pause.CopyFrom(ruling)
            case pb.ResumeRuling():
                request.resume.CopyFrom(ruling)

        async def attempt(metadata: Metadata, seconds: float) -> pb.DirectMatchResponse:
            return await self._stub.DirectMatch(request, metadata=metadata, timeout=seconds)

        response = await self._caller.call(attempt)
        self._keep_last(match_id, response.events)
        return response

    async def get_match(self, match_id: str, at_sequence: int = 0) -> pb.Match:
        """The match as it stands, or as it stood at the batch end `at_sequence`."""
        request = pb.GetMatchRequest(match_id=match_id, at_sequence=at_sequence)

        async def attempt(metadata: Metadata, seconds: float) -> pb.GetMatchResponse:
            return await self._stub.GetMatch(request, metadata=metadata, timeout=seconds)

        return self._seen((await self._caller.call(attempt)).match)

    async def list_events(self, match_id: str, after_sequence: int = 0) -> StoredEvents:
        """All events after a sequence, page by page, unjudged: gaps and all."""
        events: list[pb.StoredEvent] = []
        token = ""
        while True:
            page = await self._events_page(match_id, after_sequence, token)
            events += page.events
            token = page.next_page_token
            if not token:
                return StoredEvents(tuple(events), page.head if page.HasField("head") else None)

    async def import_match(
        self, header: pb.ImportHeader, parts: Sequence[RecordPart], *, end_line: int = 0
    ) -> pb.ImportMatchResponse:
        """Imports a match played elsewhere: all of it or nothing. The same file again is the same match."""
        return await self.import_record(list(_import_requests(header, parts, end_line)))

    async def import_record(self, record: Sequence[pb.ImportMatchRequest]) -> pb.ImportMatchResponse:
        """Imports a whole record with the lines of all its parts: the header first, the end last."""

        async def attempt(metadata: Metadata, seconds: float) -> pb.ImportMatchResponse:
            return await self._stub.ImportMatch(iter(record), metadata=metadata, timeout=seconds)

        response = await self._caller.call(attempt, IMPORT_PATIENCE)
        self._seen(response.match)
        return response

    async def watch_match(
        self,
        match_id: str,
        after_sequence: int = 0,
        *,
        on_presence: Callable[[pb.Presence], None] = lambda _: None,
    ) -> AsyncGenerator[pb.StoredEvent, None]:
        """Every event after a sequence, once and in order, until the match is closed; resumes by itself.

        `on_presence`: told who is there, at the start and on each change.

        Raises:
            LedgerError: a refusal; `Unavailable` only when the service stays away longer than the budget.
        """
        async with aclosing(watch(self._stub, self._caller, match_id, after_sequence, on_presence)) as events:
            async for event in events:
                self._keep(match_id, Receipt(event.sequence, event.hash))
                yield event

    async def _events_page(self, match_id: str, after: int, token: str) -> pb.ListEventsResponse:
        request = pb.ListEventsRequest(match_id=match_id, after_sequence=after, page_size=PAGE, page_token=token)

        async def attempt(metadata: Metadata, seconds: float) -> pb.ListEventsResponse:
            return await self._stub.ListEvents(request, metadata=metadata, timeout=seconds)

        return await self._caller.call(attempt)


def _import_requests(
    header: pb.ImportHeader, parts: Sequence[RecordPart], end_line: int
) -> Iterator[pb.ImportMatchRequest]:
    yield pb.ImportMatchRequest(header=header)
    for part in parts:
        if isinstance(part, pb.RecordedAct):
            yield pb.ImportMatchRequest(act=part)
        else:
            yield pb.ImportMatchRequest(claim=part)
    yield pb.ImportMatchRequest(end=pb.RecordEnd(line=end_line))
