"""What is no state that the referee gave is refused by field, and nothing that is sent breaks a ruling."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from tests.engine.race import quick_games
from tests.wire.walks import OTHERS, SETTINGS, Acted, walk

from gammon.rules.v1 import settings_pb2, state_pb2
from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, legal_actions, rule, set_up
from gammon_engine.referee.state import Phase, State
from gammon_engine.settings import SessionPlay, Settings
from gammon_engine.violation import Violation
from gammon_wire.facts import fact_to_proto
from gammon_wire.state import state_from_bytes, state_to_bytes, state_to_proto
from gammon_wire.summary import summary_to_proto

__all__ = ["quick_games"]
MATCH, _, SESSION, _ = SETTINGS
MIXED, TRACK, THREE, FOUR = OTHERS
Change = Callable[[state_pb2.State], object]


def in_phase(settings: Settings, phase: Phase) -> state_pb2.State:
    """A state of random play in this phase."""
    for seed in range(20):
        for acted in walk(settings, seed):
            if acted.after.phase is phase:
                return state_to_proto(settings, acted.after)
    raise AssertionError(f"no {phase}")


@pytest.mark.parametrize("stored", [b"", b"\xff\xff", b"\x08\x63", b"\x08"])
def test_bytes_of_something_else_are_refused(stored: bytes) -> None:
    refused = state_from_bytes(MATCH, stored)
    assert isinstance(refused, Violation)
    assert refused.field.startswith("state")


def test_a_state_of_other_settings_is_refused() -> None:
    stored = state_to_bytes(MATCH, begin(MATCH))
    assert isinstance(state_from_bytes(SESSION, stored), Violation)
    wider = Settings(MATCH.game, SessionPlay(), seats=3)
    assert isinstance(state_from_bytes(wider, state_to_bytes(SESSION, begin(SESSION))), Violation)


@pytest.mark.parametrize(
    ("settings", "phase", "change", "field"),
    [
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "phase", 99), "phase"),
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "phase", 5), ""),  # doubled: all of it fits
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "phase", 4), "dice"),
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "phase", 6), "cube_log2"),
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "phase", 8), "offer"),
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "phase", 9), "result"),
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "playing", 99), "playing"),
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "playing", settings_pb2.GAME_RUNGAMMON), "playing"),
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "position", "24:3"), "position"),
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "crawford", 0), "crawford"),
        (SESSION, Phase.TO_ROLL, lambda s: setattr(s, "crawford", 1), "crawford"),
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "game_number", 0), "game_number"),
        (MATCH, Phase.TO_ROLL, lambda s: s.score.add(), "score"),
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s.score[0], "numerator", -(1 << 63)), "score"),
        (MATCH, Phase.TO_ROLL, lambda s: s.rolls.append(1), "rolls"),
        # A cube of 2 ** (2 ** 32) would fill the memory.
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "cube_log2", (1 << 32) - 1), "cube_log2"),
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "turn", 2), "turn"),
        (MATCH, Phase.TO_ROLL, lambda s: s.ClearField("turn"), "turn"),
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "starter", 7), "starter"),
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "cube_owner", 2), "cube_owner"),
        (MATCH, Phase.TO_ROLL, lambda s: s.left.extend([0, 1]), "left"),
        (MATCH, Phase.TO_ROLL, lambda s: s.contenders.extend([0, 1]), "contenders"),
        (MATCH, Phase.OPENING, lambda s: s.contenders.extend([1, 1]), "contenders"),
        (MATCH, Phase.TO_ROLL, lambda s: s.finished.append(0), "finished"),
        (MATCH, Phase.TO_ROLL, lambda s: setattr(s, "chooser", 0), "chooser"),
        (MATCH, Phase.TO_PLAY, lambda s: s.dice.append(3), "dice"),
        (MATCH, Phase.TO_PLAY, lambda s: s.dice.__setitem__(0, 7), "dice"),
        (SESSION, Phase.RESIGNING, lambda s: setattr(s.offer, "seat", 2), "offer.seat"),
        (SESSION, Phase.RESIGNING, lambda s: setattr(s.offer, "resume", 8), "offer.resume"),
        (SESSION, Phase.RESIGNING, lambda s: setattr(s.offer.resign, "level", 4), "offer.resign.level"),
        (SESSION, Phase.RESIGNING, lambda s: setattr(s.offer.settle, "points", 4), "offer"),
        (SESSION, Phase.OVER, lambda s: s.ClearField("result"), "result"),
    ],
)
def test_a_state_out_of_shape_is_refused_by_field(settings: Settings, phase: Phase, change: Change, field: str) -> None:
    message = in_phase(settings, phase)
    assert isinstance(state_from_bytes(settings, message.SerializeToString()), State)
    change(message)
    read = state_from_bytes(settings, message.SerializeToString())
    assert (read.field if isinstance(read, Violation) else "") == (field and f"state.{field}")


def doubled(seat: int = 0) -> state_pb2.State:
    """Three players, seat 0 has doubled, seat 1 has stayed, seat 2 is to answer."""
    state = set_up(THREE, 0, seat)
    for action in (act.Double(seat), act.Stay(1)):
        assert isinstance(state, State)
        ruling = rule(THREE, state, action)
        assert not isinstance(ruling, Violation)
        state = ruling.state
    assert isinstance(state, State)
    return state_to_proto(THREE, state)


@pytest.mark.usefixtures("quick_games")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda s: None, ""),
        (lambda s: s.stayed.append(2), "stayed"),
        (lambda s: s.stayed.insert(0, 0), "stayed"),
        (lambda s: s.ClearField("doubled_by"), "doubled_by"),
        (lambda s: setattr(s, "doubled_by", 1), "doubled_by"),
        (lambda s: s.left.append(1), "stayed"),
        (lambda s: s.left.extend([1, 2]), "stayed"),
        (lambda s: s.left.append(0), "turn"),
        (lambda s: s.finished.append(2), "finished"),
        (lambda s: s.paid.add(), "paid"),
        (lambda s: setattr(s, "cube_owner", 1), "cube_owner"),
        (lambda s: setattr(s, "last_doubler", 3), "last_doubler"),
        (lambda s: setattr(s, "phase", state_pb2.PHASE_BEAVERED), "cube_log2"),
        (lambda s: s.ClearField("starter"), "starter"),
        (lambda s: setattr(s.score[0], "denominator", 5), "score"),
        (lambda s: setattr(s.score[0], "numerator", (1 << 60) + 1), "score"),
        (lambda s: s.chosen.append(settings_pb2.GAME_RUNGAMMON), "chosen"),
    ],
)
def test_a_state_of_three_out_of_shape_is_refused_by_field(change: Change, field: str) -> None:
    message = doubled()
    change(message)
    read = state_from_bytes(THREE, message.SerializeToString())
    assert (read.field if isinstance(read, Violation) else "") == (field and f"state.{field}")


@pytest.mark.usefixtures("quick_games")
def test_offers_and_choices_out_of_shape_are_refused_by_field() -> None:
    state = set_up(THREE, 0, 0)
    assert isinstance(state, State)
    offered = rule(THREE, state, act.OfferNoResult(0))
    assert not isinstance(offered, Violation)
    changes: list[tuple[Change, str]] = [
        (lambda s: s.offer.accepted.append(1), ""),
        (lambda s: s.offer.accepted.extend([1, 2]), "offer.accepted"),
        (lambda s: s.offer.accepted.append(0), "offer.accepted"),
        (lambda s: setattr(s.offer.resign, "level", 1), "offer"),
    ]
    for change, field in changes:
        message = state_to_proto(THREE, offered.state)
        change(message)
        read = state_from_bytes(THREE, message.SerializeToString())
        assert (read.field if isinstance(read, Violation) else "") == (field and f"state.{field}")
    choosing = in_phase(MIXED, Phase.CHOOSING)
    choosing.ClearField("chooser")
    read = state_from_bytes(MIXED, choosing.SerializeToString())
    assert isinstance(read, Violation)
    assert read.field == "state.chooser"


@pytest.mark.usefixtures("quick_games")
@pytest.mark.parametrize("agreements", [SETTINGS, OTHERS], ids=["two", "more"])
def test_no_state_that_is_read_breaks_a_ruling(agreements: tuple[Settings, ...]) -> None:
    """Stored states with fields changed at random, and the actions of other states: refused or ruled, never a fault."""
    random = Random(11)
    played = [(settings, acted) for settings in agreements for seed in range(4) for acted in walk(settings, seed)]
    ruled = 0
    for _ in range(20_000):
        settings, acted = random.choice(played)
        message = state_to_proto(settings, acted.before)
        for _ in range(random.randint(1, 2)):
            change_one_field(random, message)
        state = state_from_bytes(settings, message.SerializeToString())
        if isinstance(state, Violation):
            continue
        ruling = rule(settings, state, another(random, played, settings).action)
        if not isinstance(ruling, Violation):
            ruled += 1
            state_to_bytes(settings, ruling.state)
            summary_to_proto(ruling.state)
            for seat in range(settings.seats):
                legal_actions(settings, ruling.state, seat)
            for fact in ruling.facts:
                fact_to_proto(fact)
    assert ruled > 500


def another(random: Random, played: list[tuple[Settings, Acted]], settings: Settings) -> Acted:
    """An act of the same kind of play."""
    while True:
        other, acted = random.choice(played)
        if other is settings:
            return acted


def change_one_field(random: Random, message: Message) -> None:
    """Sets, clears or extends one field, of a message inside it too."""
    described: Any = message.DESCRIPTOR  # its class depends on the protobuf implementation
    field: FieldDescriptor = random.choice(described.fields)
    value = getattr(message, field.name)
    if random.random() < 0.2:
        message.ClearField(field.name)
    elif field.message_type is not None:
        part = value.add() if field.is_repeated else value
        if part.DESCRIPTOR.fields:
            change_one_field(random, part)
    elif field.is_repeated:
        value.append(some_value(random, field))
    else:
        setattr(message, field.name, some_value(random, field))


def some_value(random: Random, field: FieldDescriptor) -> object:
    """A value of the field's type, small or extreme."""
    if field.enum_type is not None:
        return random.choice([*field.enum_type.values_by_number, 99])
    match field.type:
        case FieldDescriptor.TYPE_BOOL:
            return random.random() < 0.5
        case FieldDescriptor.TYPE_STRING:
            return random.choice(["", "24:2", "off:15 off:15", "off:3 off:3"])
        case FieldDescriptor.TYPE_SINT64:
            return random.choice([-(1 << 63), -1, 0, 1, 5, (1 << 62) + 1, (1 << 63) - 1])
    return random.choice([0, 1, 2, 3, 6, 7, 25, 40, 41, 63, (1 << 31) - 1, (1 << 32) - 1])
