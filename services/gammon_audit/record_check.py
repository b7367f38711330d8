"""What is particular to a match played elsewhere: plays against the law, and results its record has otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from google.protobuf.message import DecodeError

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.rules.v1 import fact_pb2
from gammon_audit.envelopes import Parsed
from gammon_audit.report import Check, failed, passed
from gammon_engine.notation import write_play
from gammon_wire.plays import steps_from_proto
from gammon_wire.points import points_from_proto

RECORD = "record"
# Facts that take a cell of their own in the two columns of a written match; a roll and its play share one.
_CELLS = ("double_offered", "double_taken", "double_dropped", "beavered", "raccooned")


@dataclass(slots=True)
class _Reading:
    """What was found so far. `game`, `cell`: the game being played and how many cells of it are filled.

    `claim`: what the record says of the next game end, with its place; `ended`: the same with the end, until it is
    known whether the match goes on.
    """

    seats: int
    game: int = 0
    cell: int = 0
    dice: tuple[int, ...] = ()
    claim: tuple[Parsed, events_pb2.RecordClaimed] | None = None
    ended: tuple[Parsed, events_pb2.RecordClaimed, fact_pb2.GameEnded | None] | None = None
    agreeing: int = 0
    illegal: list[tuple[int, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    fault: tuple[int, str] | None = None


def check_record(parsed: Sequence[Parsed]) -> Check | None:
    """FAIL names every illegal play by game, row and line of the file; a result that the law has otherwise is a NOTE.

    None where the match is no record of one played elsewhere.
    """
    seats = _recorded_seats(parsed)
    if seats is None:
        return None
    reading = _Reading(seats)
    for event in parsed:
        _take_in(reading, event)
        if reading.fault is not None:
            return failed(RECORD, *reading.fault)
    _judge(reading, over=False)
    if reading.claim is not None:
        _wrong(reading, reading.claim[0], "a result is claimed, and no game ends")
    if reading.fault is not None:
        return failed(RECORD, *reading.fault)
    notes = [f"NOTE: {note}" for note in reading.notes]
    if reading.illegal:
        return failed(RECORD, reading.illegal[0][0], "; ".join([text for _, text in reading.illegal] + notes))
    return passed(RECORD, "; ".join([f"{reading.agreeing} results agree with the law", *notes]))


def _recorded_seats(parsed: Sequence[Parsed]) -> int | None:
    if not parsed or parsed[0].kind != "match_created":
        return None
    try:
        agreed = settings_pb2.MatchSettings.FromString(parsed[0].envelope.match_created.settings)
    except DecodeError:
        return None
    return agreed.rules.seats if agreed.dice == settings_pb2.DICE_SOURCE_RECORDED else None


def _take_in(reading: _Reading, event: Parsed) -> None:
    match event.kind:
        case "record_claimed":
            if reading.claim is not None:
                _wrong(reading, event, "two results are claimed for one game")
            reading.claim = (event, event.envelope.record_claimed)
        case "fact":
            _take_in_fact(reading, event, event.envelope.fact)
        case "match_closed":
            _judge(reading, over=event.envelope.match_closed.reason == events_pb2.CLOSE_REASON_PLAYED)
            if event.envelope.match_closed.reason == events_pb2.CLOSE_REASON_RECORD_ENDS:
                reading.notes.append("the record ends before the match does")


def _take_in_fact(reading: _Reading, event: Parsed, fact: fact_pb2.Fact) -> None:
    kind = fact.WhichOneof("kind") or ""
    match kind:
        case "game_opened":
            _judge(reading, over=False)
            # Where the right column starts, the left cell of the first row is empty.
            reading.game, reading.cell = fact.game_opened.game_number, fact.game_opened.starter
        case "rolled":
            reading.cell += 1
            reading.dice = tuple(fact.rolled.dice)
        case "illegal_play_recorded":
            reading.illegal.append((event.sequence, _illegal_words(reading, event, fact.illegal_play_recorded)))
        case "game_ended":
            _judge(reading, over=False)
            _end(reading, fact.game_ended)
        case "play_ended":
            if reading.claim is not None:
                # A forfeit ends the match without a result of the game.
                _end(reading, None)
            _judge(reading, over=True)
        case _ if kind in _CELLS:
            reading.cell += 1


def _illegal_words(reading: _Reading, event: Parsed, illegal: fact_pb2.IllegalPlayRecorded) -> str:
    rolled = "-".join(map(str, reading.dice))
    played = write_play(steps_from_proto(illegal.steps))
    return (
        f"game {reading.game}, row {(reading.cell + 1) // 2}, line {event.envelope.source_line}: "
        f"seat {illegal.seat} plays {rolled} as {played}, against rule {illegal.violation.rule}: "
        f"{illegal.violation.reason}"
    )


def _end(reading: _Reading, game: fact_pb2.GameEnded | None) -> None:
    if reading.claim is not None:
        reading.ended = (*reading.claim, game)
        reading.claim = None


def _judge(reading: _Reading, *, over: bool) -> None:
    """Compares a claim with the end it speaks of, now that it is known whether play is over with it."""
    if reading.ended is None:
        return
    (event, claim, game), reading.ended = reading.ended, None
    points = points_from_proto(claim.points)
    differs = []
    if game is None:
        differs.append(f"the record says {_won(claim.winners, points)}, by the law the match was forfeited")
    elif list(claim.winners) != list(game.winners) or points != points_from_proto(game.points):
        law = _won(game.winners, points_from_proto(game.points))
        differs.append(f"the record says {_won(claim.winners, points)}, the law {law}")
    if claim.ends_match and not over:
        differs.append("the record says that this was the match, by the law it is not over")
    if claim.lawful == bool(differs):
        _wrong(reading, event, f"the claim says lawful is {claim.lawful}, and the law says otherwise")
    where = f"game {reading.game if game is None else game.game_number}, line {event.envelope.source_line}"
    reading.notes.extend(f"{where}: {text}" for text in differs)
    reading.agreeing += not differs


def _won(winners: Sequence[int], points: tuple[Fraction, ...]) -> str:
    if not winners:
        return "nobody wins"
    return f"seat {winners[0]} wins {max(points, default=Fraction(0))}"


def _wrong(reading: _Reading, event: Parsed, reason: str) -> None:
    reading.fault = reading.fault or (event.sequence, reason)
