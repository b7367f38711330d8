"""The law replayed: every draw as the state asks for it, every fact as the referee gives it, every claim checked."""

from collections import deque
from dataclasses import dataclass, field

from google.protobuf.message import DecodeError

from gammon.match.v1 import events_pb2, settings_pb2
from gammon.rules.v1 import fact_pb2, state_pb2
from gammon_audit.envelopes import Parsed
from gammon_audit.implied_action import implied_action
from gammon_audit.report import Check, failed, passed
from gammon_engine.referee import begin, rule
from gammon_engine.referee.actions import Action, Open, RollDice
from gammon_engine.referee.state import Phase, State
from gammon_engine.settings import RULES_VERSION, Settings
from gammon_engine.violation import Violation
from gammon_wire.facts import fact_to_proto
from gammon_wire.settings import settings_from_proto
from gammon_wire.state import state_to_proto
from gammon_wire.summary import summary_to_proto

LAW = "law"


@dataclass(slots=True)
class Table:
    """The match as far as it has been replayed. `due`: facts that the last ruling gives and that must follow."""

    settings: Settings
    dice_source: int
    seats_taken: set[int] = field(default_factory=set)
    state: State | None = None
    draws: int = 0
    asked: events_pb2.DrawRequested | None = None
    due: deque[fact_pb2.Fact] = field(default_factory=deque)
    rulings: int = 0


def check_law(parsed: list[Parsed]) -> Check:
    """Replays a match and names the first event that the law does not give, with the rule."""
    table = _table(parsed)
    if isinstance(table, str):
        return failed(LAW, 1, table)
    for event in parsed:
        fault = _take_in(table, event)
        if fault:
            return failed(LAW, event.sequence, fault)
        if event.envelope.HasField("batch_end"):
            fault = _compare_claims(table, event.envelope.batch_end)
            if fault:
                return failed(LAW, event.sequence, fault)
    return passed(LAW, f"{table.rulings} rulings and {table.draws} draws agree with rules version {RULES_VERSION}")


def _table(parsed: list[Parsed]) -> Table | str:
    if not parsed or parsed[0].kind != "match_created":
        return "there are no settings to replay"
    try:
        agreed = settings_pb2.MatchSettings.FromString(parsed[0].envelope.match_created.settings)
    except DecodeError:
        return "the settings cannot be read"
    if agreed.rules_version != RULES_VERSION:
        return f"rules version {agreed.rules_version} is not known here"
    settings = settings_from_proto(agreed.rules)
    if isinstance(settings, tuple):
        return "the settings are faulty: " + "; ".join(f"{fault.field}: {fault.reason}" for fault in settings)
    return Table(settings, agreed.dice or settings_pb2.DICE_SOURCE_SERVICE)


def _take_in(table: Table, event: Parsed) -> str:
    envelope = event.envelope
    match event.kind:
        case "fact":
            return _fact(table, envelope)
        case "draw_requested":
            return _draw_requested(table, envelope)
        case "dice_drawn":
            return _dice_drawn(table, envelope.dice_drawn)
        case "seat_taken":
            seat = envelope.seat_taken.seat
            if table.state is not None or seat >= table.settings.seats or seat in table.seats_taken:
                return f"seat {seat} cannot be taken here"
            table.seats_taken.add(seat)
        case "match_started":
            if table.state is not None or len(table.seats_taken) != table.settings.seats:
                return "a match starts once, when all seats are taken"
            table.state = begin(table.settings)
        case "match_closed":
            played = envelope.match_closed.reason == events_pb2.CLOSE_REASON_PLAYED
            over = table.state is not None and table.state.phase is Phase.OVER
            if played != over:
                return "a match is closed as played when, and only when, it is over"
        case "match_created" | "record_claimed" | "":
            pass
        case other:
            return f"this auditor cannot judge the event {other}"
    return ""


def _draw_requested(table: Table, envelope: events_pb2.Envelope) -> str:
    asked = envelope.draw_requested
    if table.state is None or table.due or table.asked is not None:
        return "dice are asked for in the middle of something else"
    if asked.draw != table.draws + 1:
        return f"draw {asked.draw} does not follow draw {table.draws}"
    table.draws = asked.draw
    needed = summary_to_proto(table.state).draw
    if asked.count != needed.count or asked.purpose != needed.purpose:
        return f"{asked.count} dice for purpose {asked.purpose} are asked for, the law wants {needed.count}"
    if asked.HasField("seat"):
        if asked.seat not in needed.seats:
            return f"seat {asked.seat} may not ask for these dice"
        if envelope.actor.WhichOneof("kind") == "seat" and envelope.actor.seat != asked.seat:
            return f"seat {envelope.actor.seat} asks for the dice of seat {asked.seat}"
    elif not needed.at_once:
        return "these dice are thrown when a seat asks for them"
    table.asked = asked
    return ""


def _dice_drawn(table: Table, drawn: events_pb2.DiceDrawn) -> str:
    asked, state = table.asked, table.state
    if asked is None or state is None or drawn.draw != asked.draw:
        return f"nobody asked for draw {drawn.draw}"
    table.asked = None
    faces = tuple(drawn.faces)
    if len(faces) != asked.count or any(not 1 <= face <= 6 for face in faces):
        return f"the faces {list(faces)} are not those of {asked.count} dice"
    if drawn.source != table.dice_source:
        return f"the dice come from source {drawn.source}, agreed was {table.dice_source}"
    opening = state.phase is Phase.OPENING
    action: Action = Open(faces) if opening else RollDice(asked.seat, (faces[0], faces[1]))
    return _rule(table, state, action)


def _fact(table: Table, envelope: events_pb2.Envelope) -> str:
    stored = envelope.fact
    if table.state is None or table.asked is not None:
        return "nothing can happen here"
    if not table.due:
        if stored.HasField("illegal_play_recorded") and table.dice_source != settings_pb2.DICE_SOURCE_RECORDED:
            return "an illegal play stands only in a record of a match played elsewhere"
        action = implied_action(stored, table.state)
        if isinstance(action, str):
            return action
        seat = getattr(action, "seat", None)
        if envelope.actor.WhichOneof("kind") == "seat" and seat is not None and envelope.actor.seat != seat:
            return f"seat {envelope.actor.seat} acts for seat {seat}"
        fault = _rule(table, table.state, action)
        if fault:
            return fault
    expected = table.due.popleft()
    if stored != expected:
        return f"stored is {_words(stored)}; the law gives {_words(expected)}"
    return ""


def _rule(table: Table, state: State, action: Action) -> str:
    ruling = rule(table.settings, state, action)
    if isinstance(ruling, Violation):
        return f"rule {ruling.rule}: {ruling.reason}"
    table.state = ruling.state
    table.due.extend(map(fact_to_proto, ruling.facts))
    table.rulings += 1
    return ""


def _compare_claims(table: Table, end: events_pb2.BatchEnd) -> str:
    if table.due:
        return f"the batch ends, and the law goes on with {_words(table.due[0])}"
    if table.asked is not None:
        return f"draw {table.asked.draw} was asked for and not made"
    if end.draws != table.draws:
        return f"the batch claims {end.draws} draws, there were {table.draws}"
    if table.state is None:
        return "a state is claimed before the match started" if end.state else ""
    try:
        claimed = state_pb2.State.FromString(end.state)
    except DecodeError:
        return "the claimed state cannot be read"
    difference = _difference(claimed, state_to_proto(table.settings, table.state))
    if difference:
        return f"the claimed state is wrong: {difference}"
    difference = _difference(end.summary, summary_to_proto(table.state))
    return f"the claimed summary is wrong: {difference}" if difference else ""


def _difference(claimed: state_pb2.State | state_pb2.Summary, computed: state_pb2.State | state_pb2.Summary) -> str:
    if claimed == computed:
        return ""
    for described in computed.DESCRIPTOR.fields:
        name = described.name
        found, expected = str(getattr(claimed, name)), str(getattr(computed, name))
        if found != expected:
            return f"{name} is {' '.join(found.split())}, the law gives {' '.join(expected.split())}"
    return "it has fields that are not known"


def _words(fact: fact_pb2.Fact) -> str:
    return " ".join(str(fact).split()) or "nothing"
