"""The batches of one match, request by request: all of them, or those from a checkpoint on."""

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

MARK_BYTES = 4


@dataclass(frozen=True, slots=True)
class Span:
    """One request's batch: its first and last sequence, its digest, and the phase and draws after it."""

    first: int
    last: int
    request_id: str
    digest: bytes
    phase: int
    draws: int


class Earlier(Enum):
    """An answer that the batches before a checkpoint have, and only the whole log gives."""

    EARLIER = "earlier"


EARLIER = Earlier.EARLIER


class Spans:
    """The spans that are known, in order. Of each request before them a mark is kept, to rule other ids out."""

    def __init__(self, checkpointed: Span | None = None, marks: bytes = b"") -> None:
        """None: of a match from its start. `marks`: of the requests before the span at a checkpoint."""
        self._spans: list[Span] = []
        self._by_request: dict[str, Span] = {}
        self._marks = marks
        self._marked = 0
        if checkpointed is not None:
            self._add(checkpointed)

    @property
    def known(self) -> Sequence[Span]:
        """The spans that are known, in order."""
        return self._spans

    @property
    def last(self) -> Span:
        """The latest; only of a match that has been created."""
        return self._spans[-1]

    @property
    def is_whole(self) -> bool:
        """Whether all are known."""
        return not self._spans or self._spans[0].first == 1

    def append(self, last: int, request_id: str, digest: bytes, phase: int, draws: int) -> None:
        """Takes in the batch that follows."""
        first = self._spans[-1].last + 1 if self._spans else 1
        self._add(Span(first, last, request_id, digest, phase, draws))

    def of_request(self, request_id: str) -> Span | Earlier | None:
        """The batch of a request; None: it has none. EARLIER: it may have one."""
        span = self._by_request.get(request_id)
        if span is None and not self.is_whole and _mark(request_id) in self._marks:
            return EARLIER
        return span

    def ending_by(self, sequence: int) -> Span | Earlier | None:
        """The last batch that ends at or before a sequence; None: there is none."""
        index = bisect_right(self._spans, sequence, key=lambda span: span.last)
        if index:
            return self._spans[index - 1]
        return None if self.is_whole else EARLIER

    def marks(self) -> bytes:
        """The marks of all requests before the last, in their order, MARK_BYTES each."""
        unmarked = self._spans[self._marked : -1]
        self._marks += b"".join(_mark(span.request_id) for span in unmarked)
        self._marked += len(unmarked)
        return self._marks

    def copy(self) -> "Spans":
        """Another that grows by itself."""
        other = Spans(None, self._marks)
        other._spans, other._by_request, other._marked = list(self._spans), dict(self._by_request), self._marked
        return other

    def _add(self, span: Span) -> None:
        self._spans.append(span)
        self._by_request[span.request_id] = span


def _mark(request_id: str) -> bytes:
    return hashlib.sha256(request_id.encode()).digest()[:MARK_BYTES]
