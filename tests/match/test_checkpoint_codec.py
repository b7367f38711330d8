"""The bytes of checkpoints: every field there is comes back, and bytes that are not whole are no checkpoint."""

import hashlib
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gammon.match.v1 import checkpoint_pb2 as pb
from gammon_match.adapters.checkpoint_codec import DIGEST_BYTES, checkpoint_bytes, checkpoint_from
from gammon_match.adapters.codec import ProtobufCodec
from gammon_match.app.checkpoints import Checkpoint, checkpoint_of, resumed
from gammon_match.app.live_match import LiveMatch
from gammon_match.app.ports import Head, StoredEvent
from gammon_match.app.spans import Span, Spans
from gammon_match.core.events import BatchEnd, Envelope, MatchStarted, Standing, System
from gammon_match.core.match import Match
from gammon_match.core.table import Table
from gammon_match.core.table_events import DirectorReason, MatchPaused
from gammon_proofs.chain import event_hash

CODEC = ProtobufCodec()
INTEGERS = st.integers(0, 2**31 - 1)
OF_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    int: INTEGERS,
    bool: st.booleans(),
    str: st.text(st.characters(codec="utf-8")),
    bytes: st.binary(),
    NoneType: st.none(),
}


def anything(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a type, with every field of its dataclasses drawn, those with defaults and those to come too."""
    if kind in OF_PLAIN:
        return OF_PLAIN[kind]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        return st.builds(kind, **{each.name: anything(hints[each.name]) for each in fields(kind)})
    if get_origin(kind) is UnionType:
        # What may be missing is missing and not empty: a list that is there has something in it.
        return st.one_of(*(anything(choice).filter(lambda value: value != ()) for choice in get_args(kind)))
    assert get_origin(kind) is tuple, kind
    if get_args(kind)[1:] == (Ellipsis,):
        return st.lists(anything(get_args(kind)[0]), max_size=4).map(tuple)
    return st.tuples(*map(anything, get_args(kind)))


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(anything(Checkpoint))
def test_every_field_comes_back(checkpoint: Checkpoint) -> None:
    assert checkpoint_from(checkpoint_bytes(checkpoint)) == checkpoint


STANDING = {"state": b"state", "standing": Standing(phase=0, seats_to_act=(), draw=None, over=False, raw=b"")}


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(anything(Match), anything(Span), st.binary(min_size=32, max_size=32))
def test_every_field_of_a_match_is_in_the_checkpoint_or_in_its_event(match: Match, span: Span, before: bytes) -> None:
    at: dict[str, Any] = {each.name: getattr(match, each.name) for each in fields(Match)}
    match = Match(**at | STANDING | {"settings": b"", "sequence": 7, "batch_sequence": 7})
    end = BatchEnd(span.digest, match.state, match.standing, match.status, match.draws, match.seats_sequence)
    stored = CODEC.encode(Envelope(match.last_ns, System(), span.request_id, MatchStarted("1"), end))
    head = Head(7, event_hash(before, 7, stored))
    span = Span(span.first, 7, span.request_id, span.digest, match.phase, match.draws)
    live = LiveMatch("m_000_A", match, head, None, Spans(span, b"mark"), previous_hash=before)
    kept = checkpoint_from(checkpoint_bytes(checkpoint_of(live)))
    assert kept is not None
    for other in (StoredEvent(8, stored, head.hash), StoredEvent(7, stored, bytes(32))):
        assert resumed("m_000_A", kept, other, CODEC) is None
    elsewhere = replace(kept, head=Head(7, bytes(32)))
    assert resumed("m_000_A", elsewhere, StoredEvent(7, stored, head.hash), CODEC) is None
    again = resumed("m_000_A", kept, StoredEvent(7, stored, head.hash), CODEC)
    assert again is not None
    assert (again.match, again.head, again.previous_hash) == (match, head, before)
    assert (again.spans.known, again.spans.marks()) == ([span], b"mark")


SOME = checkpoint_bytes(
    Checkpoint(
        Head(60, bytes(range(32))),
        bytes(32),
        58,
        b"settings",
        "alice",
        1_700_000_000_000_000_001,
        Table(seats_sequence=3, pause=MatchPaused(DirectorReason.PENALTY, None, False), pause_sequence=59),
        9,
        ((8, 20),),
        b"marks",
    )
)


def sealed(message: pb.Checkpoint) -> bytes:
    """A message as if it had been kept."""
    body = message.SerializeToString(deterministic=True)
    return hashlib.sha256(body).digest()[:DIGEST_BYTES] + body


def test_any_bit_that_is_another_is_noticed() -> None:
    assert checkpoint_from(SOME) is not None
    for bit in range(8 * len(SOME)):
        changed = bytearray(SOME)
        changed[bit // 8] ^= 1 << bit % 8
        assert checkpoint_from(bytes(changed)) is None
    for length in range(len(SOME)):
        assert checkpoint_from(SOME[:length]) is None
    assert checkpoint_from(SOME + b"\0") is None


@pytest.mark.parametrize("number", [0, 2, 99])
def test_another_format_is_not_read(number: int) -> None:
    message = pb.Checkpoint.FromString(SOME[DIGEST_BYTES:])
    assert sealed(message) == SOME
    message.format = number
    assert checkpoint_from(sealed(message)) is None


def test_what_is_no_message_or_has_a_value_that_is_not_known_is_not_read() -> None:
    body = b"\xff\xff\xff"
    assert checkpoint_from(hashlib.sha256(body).digest()[:DIGEST_BYTES] + body) is None
    message = pb.Checkpoint.FromString(SOME[DIGEST_BYTES:])
    message.table.pause.reason = 77  # type: ignore[assignment]
    assert checkpoint_from(sealed(message)) is None
