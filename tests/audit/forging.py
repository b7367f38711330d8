"""Every way to forge one field of a message: what is there changed or taken away, what is not there put in."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from gammon.match.v1 import settings_pb2
from gammon.rules.v1 import state_pb2

M = TypeVar("M", bound=Message)

# Bytes that hold a message of the contract.
INSIDE: dict[str, Callable[[], Message]] = {
    "state": state_pb2.State,
    "settings": settings_pb2.MatchSettings,
}


def forgeries(message: M) -> Iterator[tuple[str, M]]:
    """The path of a field, and a copy of the message that differs in nothing else."""
    fields: Sequence[FieldDescriptor] = message.DESCRIPTOR.fields  # type: ignore[assignment]
    for described in fields:
        name = described.name
        if described.is_repeated:
            yield from _of_repeated(message, described)
        elif described.message_type is None:
            yield from _of_scalar(message, described)
        elif message.HasField(name):
            for below, part in forgeries(getattr(message, name)):
                forged = _copy(message)
                getattr(forged, name).CopyFrom(part)
                yield f"{name}.{below}", forged
            yield f"{name} absent", _without(message, name)
        else:
            forged = _copy(message)
            getattr(forged, name).SetInParent()
            yield f"{name} present", forged


def _of_scalar(message: M, described: FieldDescriptor) -> Iterator[tuple[str, M]]:
    name = described.name
    value = getattr(message, name)
    if name in INSIDE and isinstance(value, bytes) and value:
        inside = INSIDE[name]()
        inside.ParseFromString(value)
        for below, part in forgeries(inside):
            yield f"{name}.{below}", _with(message, name, part.SerializeToString(deterministic=True))
        return
    yield name, _with(message, name, _other(described, value))
    if described.has_presence and message.HasField(name):
        yield f"{name} absent", _without(message, name)


def _of_repeated(message: M, described: FieldDescriptor) -> Iterator[tuple[str, M]]:
    name = described.name
    values = getattr(message, name)
    for index, value in enumerate(values):
        if described.message_type is None:
            forged = _copy(message)
            getattr(forged, name)[index] = _other(described, value)
            yield name, forged
            continue
        for below, part in forgeries(value):
            forged = _copy(message)
            getattr(forged, name)[index].CopyFrom(part)
            yield f"{name}.{below}", forged
    if values:
        forged = _copy(message)
        del getattr(forged, name)[-1]
        yield f"{name} shorter", forged
    forged = _copy(message)
    if described.message_type is None:
        text = described.cpp_type == FieldDescriptor.CPPTYPE_STRING
        getattr(forged, name).append("x" if text else 1)
    else:
        getattr(forged, name).add()
    yield f"{name} longer", forged


def _other(described: FieldDescriptor, value: object) -> object:
    """Another value for a field."""
    match value:
        case bool():
            return not value
        case bytes():
            return bytes([value[0] ^ 1]) + value[1:] if value else b"\x01"
        case str():
            return value + "x"
        case int():
            return value + 1
    raise TypeError(f"{described.full_name} is {type(value)}")


def _copy(message: M) -> M:
    forged = type(message)()
    forged.CopyFrom(message)
    return forged


def _with(message: M, name: str, value: object) -> M:
    forged = _copy(message)
    setattr(forged, name, value)
    return forged


def _without(message: M, name: str) -> M:
    forged = _copy(message)
    forged.ClearField(name)
    return forged
