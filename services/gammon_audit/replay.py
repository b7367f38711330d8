"""A match as people read it: turn by turn, with the position after each; the good part first, then the first error."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gammon.match.v1 import events_pb2
from gammon.rules.v1 import fact_pb2
from gammon_audit.chain_check import check_chain, check_head
from gammon_audit.envelope_check import check_envelopes
from gammon_audit.envelopes import Agreed, Parsed, Reading, read
from gammon_audit.law_replay import LawReplay
from gammon_audit.record import MatchRecord
from gammon_audit.report import Check, first_failed
from gammon_audit.time_words import left_words
from gammon_audit.turn_words import event_words
from gammon_drawing.svg import draw_svg
from gammon_drawing.text import draw_text
from gammon_engine.referee.state import Cube, State
from gammon_engine.registry import game_of
from gammon_engine.settings import RULES_VERSION, GameId, Settings, games_of
from gammon_engine.view import View
from gammon_engine.violation import Violation

CUBE_BITS = 63


@dataclass(frozen=True, slots=True)
class Turn:
    """One batch: what happened, and what stood after it. Where it ended a game, that is the end of that game.

    `recorded_at`: UTC, as in RFC 3339. `seat`: who acted (None: nobody at the table). `what`: in words and in play text
    (rule 9.4), plays behind their roll. `position` is empty before the match starts. `cube`: its value, at most 2^63.
    `score`: one entry a seat. `clock`: as it was told with the batch; None: the match has none.
    """

    sequence: int
    recorded_at: str
    seat: int | None
    what: str
    position: str
    cube: int
    cube_owner: int | None
    last_doubler: int | None
    score: tuple[str, ...]
    game_number: int
    playing: str
    settings: Settings
    clock: events_pb2.ClockStamped | None

    def header(self) -> str:
        """One line: the game, the score, the cube, and what each seat has left on a clock."""
        parts = [f"game {self.game_number}", f"score {' : '.join(self.score)}", self.cube_words()]
        if self.clock is not None:
            parts.append("clock " + " : ".join(left_words(left.ToNanoseconds()) for left in self.clock.reserves))
        return "   ".join(parts)

    def cube_words(self) -> str:
        """The cube and who may turn it: its owner, of three or four anybody but the last doubler (6.10)."""
        if self.last_doubler is not None:
            return f"cube {self.cube} by seat {self.last_doubler}"
        return (
            f"cube {self.cube} in the middle"
            if self.cube_owner is None
            else f"cube {self.cube} with seat {self.cube_owner}"
        )

    def board(self, seat: int = 0) -> str:
        """The position as text, as a seat of the match sees it; empty before the first game."""
        view = self._view()
        return "" if view is None else draw_text(view, seat)

    def picture(self, seat: int = 0) -> str:
        """The same as an SVG document."""
        view = self._view()
        return "" if view is None else draw_svg(view, seat)

    def _view(self) -> View | None:
        if not self.position:
            return None
        game = game_of(self.settings, GameId(self.playing))
        position = game.parse(self.position)
        return None if isinstance(position, Violation) else game.view(position)

    def _holder(self) -> dict[str, int | None]:
        return {"owner": self.cube_owner} if self.settings.seats == 2 else {"last_doubler": self.last_doubler}

    def _clock(self) -> dict[str, list[Any]] | None:
        if self.clock is None:
            return None
        return {
            "reserves": [left.ToJsonString() for left in self.clock.reserves],
            "running": list(self.clock.running),
            "delays": [left.ToJsonString() for left in self.clock.delays],
            "interrupted": list(self.clock.interrupted),
            "interrupted_delays": [left.ToJsonString() for left in self.clock.interrupted_delays],
        }

    def to_json(self) -> dict[str, Any]:
        """Plain data; spans of time as the contracts' JSON has them, such as 12.5s."""
        return {
            "sequence": self.sequence,
            "recorded_at": self.recorded_at,
            "seat": self.seat,
            "what": self.what,
            "position": self.position,
            "cube": {"value": self.cube, **self._holder()},
            "score": list(self.score),
            "game": self.game_number,
            "playing": self.playing,
            "clock": self._clock(),
        }


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The first event that is wrong, and why: the replay stops before its batch."""

    sequence: int
    reason: str


def replay(record: MatchRecord) -> Iterator[Turn | Unreadable]:
    """The turns of a match by the law, up to the first event that an audit calls wrong; that comes last."""
    chain = check_chain(record)
    reading = read(record, chain)
    wrong = first_failed((chain, check_head(record), check_envelopes(reading)))
    if isinstance(reading.agreed, str):
        yield _unreadable(wrong, 1, reading.agreed)
        return
    if reading.agreed.message.rules_version != RULES_VERSION:
        yield _unreadable(wrong, 1, f"rules version {reading.agreed.message.rules_version!r} is not known here")
        return
    yield from _turns(reading, reading.agreed, wrong)


def _turns(reading: Reading, agreed: Agreed, wrong: Check | None) -> Iterator[Turn | Unreadable]:
    law = LawReplay(agreed)
    before: State | None = None
    batch: list[Parsed] = []
    for event in reading.parsed:
        if wrong is not None and wrong.sequence is not None and event.sequence >= wrong.sequence:
            break
        fault = law.take_in(event)
        if fault:
            yield Unreadable(event.sequence, fault)
            return
        batch.append(event)
        if event.envelope.HasField("batch_end"):
            yield _turn(batch, agreed, before, law.state)
            before, batch = law.state, []
    if wrong is not None:
        yield _unreadable(wrong, len(reading.parsed) + 1, "")


def _unreadable(wrong: Check | None, sequence: int, reason: str) -> Unreadable:
    if wrong is None:
        return Unreadable(sequence, reason)
    return Unreadable(sequence if wrong.sequence is None else wrong.sequence, wrong.detail)


def _turn(batch: Sequence[Parsed], agreed: Agreed, before: State | None, after: State | None) -> Turn:
    rules, last = agreed.rules, batch[-1]
    # A play that ends a game of a mixed match is told in the words of that game, not of the next.
    at = before or after
    playing = at.playing if at is not None else games_of(rules.game)[0]
    game = game_of(rules, playing)
    dice = before.dice if before is not None else None
    said = (event_words(event.envelope, game, dice) for event in batch)
    ended = _game_ended(batch)
    position, number, cube = "", 0, Cube()
    if ended is not None and before is not None:
        position, number, cube = ended.position, ended.game_number, before.cube
    elif after is not None:
        playing = after.playing
        position, number, cube = game_of(rules, playing).text(after.position), after.game_number, after.cube
    return Turn(
        sequence=last.sequence,
        recorded_at=last.envelope.record_time.ToJsonString(),
        seat=_seat(batch),
        what="; ".join(filter(None, said)),
        position=position,
        cube=1 << min(cube.exponent, CUBE_BITS),
        cube_owner=cube.owner,
        last_doubler=cube.last_doubler,
        score=tuple(map(str, after.score)) if after is not None else (),
        game_number=number,
        playing=playing.value,
        settings=rules,
        clock=next((event.envelope.clock_stamped for event in batch if event.kind == "clock_stamped"), None),
    )


def _game_ended(batch: Sequence[Parsed]) -> fact_pb2.GameEnded | None:
    for event in batch:
        if event.kind == "fact" and event.envelope.fact.HasField("game_ended"):
            return event.envelope.fact.game_ended
    return None


def _seat(batch: Sequence[Parsed]) -> int | None:
    """The seat that acted or was acted for; of an imported match, recorded by the operator, that of the first fact."""
    envelope = batch[0].envelope
    if envelope.actor.HasField("seat"):
        return envelope.actor.seat
    if envelope.HasField("acted_by_system"):
        return envelope.acted_by_system.seat
    for event in batch if envelope.source_line else ():
        if event.kind == "fact":
            inner = getattr(event.envelope.fact, event.envelope.fact.WhichOneof("kind") or "", None)
            return getattr(inner, "seat", None)
    return None
