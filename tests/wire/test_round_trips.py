"""What the engine says comes back from the wire as it was, over states reached in random play."""

from fractions import Fraction
from random import Random
from typing import get_args

import pytest

from gammon.rules.v1 import action_pb2, fact_pb2, settings_pb2
from gammon_engine.games.backgammon import Backgammon
from gammon_engine.referee import actions as act
from gammon_engine.referee import begin, legal_actions, rule
from gammon_engine.referee.facts import Fact
from gammon_engine.referee.state import Phase, State
from gammon_engine.settings import GameId, MatchPlay, SessionPlay, Settings, SetUp
from gammon_engine.violation import Violation
from gammon_wire import words
from gammon_wire.actions import LATER, action_from_proto, action_to_proto
from gammon_wire.facts import fact_to_proto
from gammon_wire.settings import settings_from_proto, settings_to_proto
from gammon_wire.state import state_from_bytes, state_to_bytes

SETTINGS = (
    Settings(GameId.BACKGAMMON, MatchPlay(5)),
    Settings(GameId.BACKGAMMON, MatchPlay(3, crawford=True, holland=True), set_up=SetUp.NACKGAMMON),
    Settings(
        GameId.BACKGAMMON,
        SessionPlay(games=3, jacoby=True, beavers=True, raccoons=True, automatic_doubles=2),
        set_up=SetUp.HYPERGAMMON,
    ),
    Settings(GameId.BACKGAMMON, SessionPlay(games=2), cube=False),
)
SETTLED = Fraction(2)
# Facts of games and rulings that no engine of ours states yet.
NOT_STATED_YET = {
    "stayed",
    "seat_left",
    "game_chosen",
    "score_set",
    "illegal_play_recorded",
}


def walk(settings: Settings, seed: int) -> list[tuple[State, act.Action, tuple[Fact, ...], State]]:
    """A random session or match: states, actions, facts."""
    random = Random(seed)
    game = Backgammon(settings.set_up or SetUp.STANDARD)
    state = begin(settings)
    steps: list[tuple[State, act.Action, tuple[Fact, ...], State]] = []
    for _ in range(3000):
        if state.phase is Phase.OVER:
            return steps
        action: act.Action
        if state.phase is Phase.OPENING:
            count = len(state.tied or state.seats_in)
            action = act.Open(tuple(random.randint(1, 6) for _ in range(count)))
        elif state.phase is Phase.TO_PLAY:
            assert state.turn is not None
            assert state.dice is not None
            plays = game.legal_plays(state.position, state.turn, state.dice)
            action = act.MakePlay(state.turn, plays.way(random.choice(list(plays))))
        else:
            action = random_action(random, settings, state)
        ruling = rule(settings, state, action)
        assert not isinstance(ruling, Violation), ruling
        steps.append((state, action, ruling.facts, ruling.state))
        state = ruling.state
    raise AssertionError("the walk does not end")


def random_action(random: Random, settings: Settings, state: State) -> act.Action:
    seat = random.choice([s for s in (0, 1) if legal_actions(settings, state, s)])
    kinds = list(legal_actions(settings, state, seat))
    if act.RollDice in kinds and random.random() < 0.9:
        return act.RollDice(seat, (random.randint(1, 6), random.randint(1, 6)))
    rare = [kind for kind in kinds if kind in (act.Beaver, act.Raccoon)]
    kind = random.choice(rare if rare and random.random() < 0.6 else kinds)
    if kind is act.RollDice:
        return act.RollDice(seat, (1, 2))
    if kind is act.Resign:
        return act.Resign(seat, random.randint(1, 3))
    if kind is act.Settle:
        return act.Settle(seat, SETTLED, 1 - seat)
    return kind(seat)  # type: ignore[call-arg,arg-type]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("seed", range(4))
def test_states_actions_and_facts_come_back(settings: Settings, seed: int) -> None:
    for state, action, facts, after in walk(settings, seed):
        stored = state_to_bytes(settings, after)
        assert state_from_bytes(settings, stored) == after
        assert state_to_bytes(settings, after) == stored
        assert action_from_proto(action_to_proto(action), state.phase) == action
        for fact in facts:
            message = fact_to_proto(fact)
            assert message.WhichOneof("kind") is not None
            assert fact_pb2.Fact.FromString(message.SerializeToString()) == message


@pytest.mark.parametrize("settings", SETTINGS)
def test_settings_come_back(settings: Settings) -> None:
    assert settings_from_proto(settings_to_proto(settings)) == settings


def test_absent_crawford_means_it_holds() -> None:
    message = settings_pb2.Settings(game=settings_pb2.GAME_BACKGAMMON, seats=2)
    message.match.points = 5
    settings = settings_from_proto(message)
    assert isinstance(settings, Settings)
    assert settings.play == MatchPlay(5, crawford=True)


def test_all_faults_of_settings_come_at_once() -> None:
    message = settings_pb2.Settings(game=settings_pb2.GAME_BACKGAMMON, seats=5, centres=settings_pb2.CENTRES_TWO)
    message.match.points = 0
    faults = settings_from_proto(message)
    assert isinstance(faults, tuple)
    assert {fault.field for fault in faults} >= {"seats", "centres"}
    assert any("points" in fault.field for fault in faults)


@pytest.mark.parametrize("stored", [b"", b"\xff\xff", b"\x08\x63"])
def test_what_is_no_state_is_refused_with_a_reason(stored: bytes) -> None:
    refused = state_from_bytes(SETTINGS[0], stored)
    assert isinstance(refused, Violation)
    assert refused.reason


def test_every_fact_of_the_contract_is_stated_or_waits_by_name() -> None:
    seen: set[str] = set()
    for settings in SETTINGS:
        for seed in range(12):
            for _, _, facts, _ in walk(settings, seed):
                seen |= {fact_to_proto(fact).WhichOneof("kind") or "" for fact in facts}
    seen |= {"forfeited"}  # an operator's: tests/engine has it
    contract = {field.name for field in fact_pb2.Fact.DESCRIPTOR.fields}
    assert contract - seen == NOT_STATED_YET


def test_every_action_of_the_contract_is_read_or_waits_by_name() -> None:
    for described in action_pb2.Action.DESCRIPTOR.oneofs_by_name["kind"].fields:
        message = action_pb2.Action(seat=0)
        getattr(message, described.name).SetInParent()
        read = action_from_proto(message, Phase.TO_ROLL)
        waits = isinstance(read, Violation) and read.reason == "is not served yet"
        assert waits == (described.name in LATER), described.name


def test_the_tables_of_words_are_whole() -> None:
    for table, kind in (
        (words.GAMES, GameId),
        (words.SET_UPS, SetUp),
        (words.PHASES, Phase),
    ):
        assert set(table) == set(kind)
    assert len(get_args(act.Action)) == len(action_pb2.Action.DESCRIPTOR.oneofs_by_name["kind"].fields) - len(LATER) + 1
