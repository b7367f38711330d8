"""What the end of a batch claims of the referee's state, against the state recomputed: parsed fields, never bytes."""

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message

from gammon.match.v1 import events_pb2
from gammon.rules.v1 import fact_pb2, state_pb2
from gammon_engine.referee.state import State
from gammon_engine.settings import Settings
from gammon_wire.state import state_to_proto
from gammon_wire.summary import summary_to_proto

MOST_SHOWN = 200


def claim_fault(end: events_pb2.BatchEnd, settings: Settings, state: State | None) -> str:
    """The first field that differs, found and expected; empty if none does. `state` None: it has not started."""
    if state is None:
        return "a state is claimed before the match started" if end.state or end.HasField("summary") else ""
    try:
        claimed = state_pb2.State.FromString(end.state)
    except DecodeError:
        return "the claimed state cannot be read"
    difference = _difference(claimed, state_to_proto(settings, state))
    if difference:
        return f"the claimed state is wrong: {difference}"
    difference = _difference(end.summary, summary_to_proto(state))
    return f"the claimed summary is wrong: {difference}" if difference else ""


def in_words(message: fact_pb2.Fact) -> str:
    """A fact on one line of bounded length."""
    return _shown(message) or "nothing"


def _difference(claimed: state_pb2.State | state_pb2.Summary, computed: state_pb2.State | state_pb2.Summary) -> str:
    if claimed == computed:
        return ""
    for described in computed.DESCRIPTOR.fields:
        found, expected = _value(claimed, described), _value(computed, described)
        if found != expected:
            return f"{described.name} is {_shown(found)}, the law gives {_shown(expected)}"
    return "it has fields that are not known"


def _value(message: Message, described: FieldDescriptor) -> object:
    """A field's value, in words where it is absent or an enum."""
    if described.has_presence and not message.HasField(described.name):
        return "absent"
    value = getattr(message, described.name)
    if described.enum_type is None or described.is_repeated:
        return value
    named = described.enum_type.values_by_number.get(value)
    return value if named is None else named.name


def _shown(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 2] + " …"
