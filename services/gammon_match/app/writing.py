"""What a request wants stored, and what stands in the stream of it."""

from dataclasses import dataclass

from gammon_match.app.ports import Batch, DurabilityLevel, StoredEvent
from gammon_match.core.events import Actor, BatchEnd, Envelope, Event


@dataclass(frozen=True, slots=True)
class Writing:
    """What a request wants stored: its events in order and what stands after them.

    `corrects_from`: from which sequence on what the feed told of the match no longer holds; 0: it holds.
    """

    actor: Actor
    request_id: str
    events: tuple[Event, ...]
    end: BatchEnd
    source_line: int = 0
    game_ended: bytes | None = None
    play_ended: bytes | None = None
    corrects_from: int = 0

    @property
    def is_fed(self) -> bool:
        """Whether the readers of the feed are told."""
        return self.game_ended is not None or self.play_ended is not None or self.corrects_from > 0


@dataclass(frozen=True, slots=True)
class Prepared:
    """The batch of a writing with the values it was made of, to fold them on once it is stored."""

    batch: Batch
    envelopes: tuple[Envelope, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """A request's batch as it stands in the stream, stored now or (repeated) before."""

    events: tuple[StoredEvent, ...]
    achieved: DurabilityLevel
    repeated: bool = False
