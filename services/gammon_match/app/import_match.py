"""Importing a match played elsewhere: all of it is judged first, then stored; the same file again is the same match."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from gammon_match.app.codec import Codec
from gammon_match.app.identity import imported_match_id, request_digest
from gammon_match.app.law import Away, Begun, Faulty, Law
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.live_matches import LiveMatches
from gammon_match.app.ports import DurabilityLevel
from gammon_match.app.recording import Recorder
from gammon_match.app.spans import Earlier
from gammon_match.app.turn import Act, Place, decide
from gammon_match.app.writing import Prepared, Writing, Written
from gammon_match.core.events import (
    BatchEnd,
    CloseReason,
    DiceSource,
    Event,
    MatchClosed,
    MatchCreated,
    MatchStarted,
    Operator,
    RecordClaimed,
    SeatTaken,
    Status,
)
from gammon_match.core.refusals import (
    DurabilityNotOffered,
    FieldFault,
    Malformed,
    MatchNotFound,
    Refusal,
    RequestIdReused,
    RulesAway,
    Unlawful,
    Unsupported,
)

START = "import"
END = "end"


@dataclass(frozen=True, slots=True)
class RecordedAct:
    """One act of a record: the contract action's bytes, who acts, the dice thrown elsewhere if it is a roll."""

    action: bytes
    seat: int | None
    roll: bool
    dice: tuple[int, ...]
    line: int


@dataclass(frozen=True, slots=True)
class RecordedClaim:
    """What the record itself says of a game's end, as bytes."""

    claim: bytes
    line: int


@dataclass(frozen=True, slots=True)
class Record:
    """A whole record. `settings` as in CreateMatch; `players` by seat, as opaque references."""

    operator: str
    source_sha256: bytes
    rules: bytes
    settings: Callable[[str], bytes]
    players: tuple[str, ...]
    parts: tuple[RecordedAct | RecordedClaim, ...]
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class ImportedMatch:
    """The match; how many parts were stored now; whether the match was known before."""

    live: LiveMatch
    stored_acts: int
    known: bool


@dataclass(slots=True)
class _Plan:
    """Batches to store, and the match as it will be after them."""

    scratch: LiveMatch
    prepared: list[Prepared] = field(default_factory=list)


class ImportMatchHandler:
    """Imports records."""

    def __init__(self, law: Law, live: LiveMatches, recorder: Recorder, codec: Codec, partitions: int) -> None:
        """`partitions`: of the store."""
        self._law = law
        self._live = live
        self._recorder = recorder
        self._codec = codec
        self._partitions = partitions

    async def __call__(self, record: Record) -> ImportedMatch | Refusal:
        """Stores what of the record is not stored yet, or nothing if any of it cannot be."""
        level = self._recorder.level(None)
        if isinstance(level, DurabilityNotOffered):
            return level
        begun = await self._law.begin(record.rules)
        match begun:
            case Away(cause):
                return RulesAway(cause)
            case Faulty(faults, supported):
                return Malformed(faults) if supported else Unsupported(faults)
        settings = record.settings(begun.rules_version)
        match_id = imported_match_id(record.source_sha256, self._partitions)
        found = await self._live.get(match_id)
        if isinstance(found, MatchNotFound):
            live, known = LiveMatch(match_id), False
        elif isinstance(found, LiveMatch):
            live, known = found, True
            if live.match.settings != settings:
                return RequestIdReused(START, 1)
        else:
            return found
        async with live.lock:
            fault = await self._recorder.settle(live) or await self._live.make_whole(live)
            if fault is not None:
                return fault
            plan = await self._plan(live, record, begun, settings)
            if not isinstance(plan, _Plan):
                return plan
            return await self._store(live, plan, level, known)

    async def _store(
        self, live: LiveMatch, plan: _Plan, level: DurabilityLevel, known: bool
    ) -> ImportedMatch | Refusal:
        for prepared in plan.prepared:
            written = await self._recorder.append(live, prepared, level)
            if not isinstance(written, Written):
                self._live.forget(live.match_id)
                return written
        return ImportedMatch(self._live.keep(live), len(plan.prepared), known)

    async def _plan(self, live: LiveMatch, record: Record, begun: Begun, settings: bytes) -> _Plan | Refusal:
        plan = _Plan(replace(live, spans=live.spans.copy()))
        if live.head.sequence == 0:
            self._add(plan, record, self._start(record, begun, settings))
        for number, part in enumerate(record.parts, 1):
            refusal = await self._add_part(plan, record, f"part-{number}", part)
            if refusal is not None:
                return refusal
        scratch = plan.scratch.match
        if scratch.status is not Status.CLOSED:
            end = BatchEnd(
                request_digest(END.encode()), scratch.state, scratch.standing, Status.CLOSED, scratch.draws, 0
            )
            self._add(
                plan,
                record,
                self._writing(record, END, (MatchClosed(CloseReason.RECORD_ENDS),), end, plan, record.end_line),
            )
        return plan

    async def _add_part(
        self, plan: _Plan, record: Record, request_id: str, part: RecordedAct | RecordedClaim
    ) -> Refusal | None:
        digest = _digest(part)
        stored = plan.scratch.spans.of_request(request_id)
        assert not isinstance(stored, Earlier), "all batches of the match are known"
        if stored is not None:
            return None if stored.digest == digest else RequestIdReused(request_id, stored.last)
        match = plan.scratch.match
        assert match.standing is not None, "an imported match starts with its first batch"
        if match.status is Status.CLOSED:
            return Unlawful("7.1", "the match is over, and the record goes on", line=part.line)
        if isinstance(part, RecordedClaim):
            end = BatchEnd(digest, match.state, match.standing, match.status, match.draws, 0)
            self._add(
                plan,
                record,
                self._writing(record, request_id, (RecordClaimed(part.claim),), end, plan, part.line),
            )
            return None
        draw = match.standing.draw
        if part.roll and draw is not None and len(part.dice) != draw.count:
            fault = FieldFault(
                "act.action.roll.dice",
                str(list(part.dice)),
                "contract",
                f"line {part.line}: {draw.count} dice are due",
            )
            return Malformed((fault,))
        terms = plan.scratch.terms()
        place = Place(terms.rules, terms.rules_version, match.state, match.standing, match.draws)
        act = Act(part.action, part.roll, part.seat, digest)
        turn = await decide(self._law, place, act, lambda _: part.dice, DiceSource.RECORDED, throws_on=False)
        if isinstance(turn, Unlawful):
            return replace(turn, line=part.line)
        if isinstance(turn, Refusal):
            return turn
        writing = self._writing(record, request_id, turn.events, turn.end, plan, part.line)
        self._add(plan, record, replace(writing, game_ended=turn.game_ended, play_ended=turn.play_ended))
        return None

    def _add(self, plan: _Plan, record: Record, writing: Writing) -> None:
        scratch = plan.scratch
        prepared = self._recorder.prepare(scratch.match_id, scratch.head, scratch.match, writing, record.players)
        plan.prepared.append(prepared)
        for envelope, stored_hash in zip(prepared.envelopes, prepared.batch.hashes, strict=True):
            fault = scratch.advance(envelope, stored_hash, self._codec)
            assert fault is None, fault

    def _start(self, record: Record, begun: Begun, settings: bytes) -> Writing:
        events: tuple[Event, ...] = (
            MatchCreated(settings, record.operator),
            *(SeatTaken(seat, player) for seat, player in enumerate(record.players)),
            MatchStarted(begun.rules_version),
        )
        end = BatchEnd(
            request_digest(settings), begun.state, begun.standing, Status.PLAYING, 0, 1 + len(record.players)
        )
        return Writing(Operator(record.operator), START, events, end, record.start_line)

    def _writing(
        self,
        record: Record,
        request_id: str,
        events: tuple[Event, ...],
        end: BatchEnd,
        plan: _Plan,
        line: int,
    ) -> Writing:
        end = replace(end, seats_sequence=plan.scratch.match.seats_sequence)
        return Writing(Operator(record.operator), request_id, events, end, line)


def _digest(part: RecordedAct | RecordedClaim) -> bytes:
    match part:
        case RecordedClaim(claim):
            return request_digest(b"claim", claim)
        case RecordedAct(action, seat):
            return request_digest(b"act", b"" if seat is None else bytes([seat]), action)
