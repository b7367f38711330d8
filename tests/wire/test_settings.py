"""Settings of the contract: back as they were, or every fault at once under the contract's names."""

import pytest
from google.protobuf.descriptor import Descriptor
from tests.wire.walks import SETTINGS

from gammon.rules.v1 import action_pb2, fact_pb2, settings_pb2, state_pb2
from gammon_engine.referee.actions import Scope
from gammon_engine.referee.facts import How
from gammon_engine.referee.state import Crawford, Phase
from gammon_engine.referee.summary import Purpose
from gammon_engine.registry import GAMES
from gammon_engine.settings import Centres, GameId, MatchPlay, RunnerRelease, SessionPlay, Settings, SetUp
from gammon_wire import words
from gammon_wire.settings import is_unsupported, settings_from_proto, settings_to_proto

BACKGAMMON = settings_pb2.GAME_BACKGAMMON
CENTRES_TWO, NACKGAMMON = settings_pb2.CENTRES_TWO, settings_pb2.SETUP_NACKGAMMON
MATCH = settings_pb2.MatchPlay(points=5)
SESSION = settings_pb2.SessionPlay(games=3)


@pytest.mark.parametrize(
    "settings",
    [
        *SETTINGS,
        Settings(GameId.BACKGAMMON, MatchPlay(1, crawford=False), set_up=SetUp.LONGGAMMON),
        Settings(GameId.BACKGAMMON, SessionPlay(), set_up=SetUp.STANDARD),
    ],
    # A set is shown in another order in each process.
    ids=lambda value: " ".join(sorted(value)) if isinstance(value, set) else None,
)
def test_settings_come_back(settings: Settings) -> None:
    sent = settings_to_proto(settings).SerializeToString()
    assert settings_from_proto(settings_pb2.Settings.FromString(sent)) == settings


def test_what_is_absent_has_the_value_that_the_contract_says() -> None:
    read = settings_from_proto(settings_pb2.Settings(game=BACKGAMMON, seats=2, match=MATCH))
    assert read == Settings(GameId.BACKGAMMON, MatchPlay(5, crawford=True, holland=False), cube=True)
    read = settings_from_proto(settings_pb2.Settings(game=BACKGAMMON, seats=2, session=settings_pb2.SessionPlay()))
    assert read == Settings(GameId.BACKGAMMON, SessionPlay(games=None), cube=True)


@pytest.mark.parametrize(
    ("message", "faults"),
    [
        ({}, {"game", "seats", "play"}),
        ({"game": 99, "seats": 7, "match": settings_pb2.MatchPlay()}, {"game", "seats", "match", "match.points"}),
        (
            {"game": 1, "seats": 2, "match": MATCH, "setup": 99, "centres": 98, "runner_release": 97, "cube": 96},
            {"setup", "centres", "runner_release", "cube"},
        ),
        (
            {"game": 1, "seats": 2, "match": settings_pb2.MatchPlay(points=0, crawford=False, holland=True)},
            {"match.points", "match.holland"},
        ),
        ({"game": 1, "seats": 3, "match": MATCH}, {"seats", "match"}),
        (
            {"game": 1, "seats": 2, "session": settings_pb2.SessionPlay(raccoons=True, automatic_doubles=1), "cube": 2},
            {"session.raccoons", "session.automatic_doubles"},
        ),
        ({"game": 1, "seats": 2, "session": SESSION, "centres": 1, "runner_release": 2}, {"centres", "runner_release"}),
        ({"game": 3, "seats": 3, "session": SESSION, "setup": 2}, {"seats", "setup"}),
        ({"game": 5, "seats": 2, "centres": 1}, {"centres", "play"}),
        ({"game": 5, "seats": 2, "session": SESSION, "setup": 2}, {"setup", "session"}),
    ],
    ids=str,
)
def test_all_faults_come_at_once(message: dict[str, object], faults: set[str]) -> None:
    read = settings_from_proto(settings_pb2.Settings(**message))  # type: ignore[arg-type]
    assert isinstance(read, tuple)
    assert {fault.field for fault in read} == faults
    for fault in read:
        assert fault.reason
        assert fault.rule[0].isdigit()


def test_every_fault_names_a_field_of_the_contract() -> None:
    for message in (
        settings_pb2.Settings(
            game=BACKGAMMON, seats=9, session=settings_pb2.SessionPlay(raccoons=True), centres=CENTRES_TWO
        ),
        settings_pb2.Settings(seats=9, match=settings_pb2.MatchPlay(holland=True, crawford=False), setup=NACKGAMMON),
    ):
        faults = settings_from_proto(message)
        assert isinstance(faults, tuple)
        for fault in faults:
            described: Descriptor | None = settings_pb2.Settings.DESCRIPTOR
            for name in fault.field.split("."):
                assert described is not None
                described = described.fields_by_name[name].message_type


@pytest.mark.parametrize(
    ("game", "missing"),
    [(2, GameId.TRACKGAMMON), (3, GameId.CATCHGAMMON), (4, GameId.RUNGAMMON), (5, GameId.RUNGAMMON)],
)
def test_a_game_of_the_family_that_is_not_played_here_is_unsupported_and_not_malformed(
    game: int, missing: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(GAMES, missing)
    message = settings_pb2.Settings(game=game, seats=2, match=MATCH)  # type: ignore[arg-type]
    faults = settings_from_proto(message)
    assert isinstance(faults, tuple)
    assert is_unsupported(message, faults)
    message.match.points = 0
    faults = settings_from_proto(message)
    assert isinstance(faults, tuple)
    assert not is_unsupported(message, faults)


def test_a_game_that_nobody_knows_is_malformed() -> None:
    message = settings_pb2.Settings(game=99, seats=2, match=MATCH)  # type: ignore[arg-type]
    faults = settings_from_proto(message)
    assert isinstance(faults, tuple)
    assert not is_unsupported(message, faults)


@pytest.mark.parametrize(
    ("table", "words_of_engine", "enum", "waiting"),
    [
        (words.GAMES, set(GameId), settings_pb2.Game, set()),
        (words.SET_UPS, set(SetUp), settings_pb2.Setup, set()),
        (words.CENTRES, set(Centres), settings_pb2.Centres, set()),
        (words.RUNNER_RELEASES, set(RunnerRelease), settings_pb2.RunnerRelease, set()),
        (words.PHASES, set(Phase), state_pb2.Phase, set()),
        (words.PURPOSES, set(Purpose), state_pb2.DrawPurpose, set()),
        (words.SCOPES, set(Scope), action_pb2.ForfeitScope, set()),
        # No rule is CRAWFORD_UNSPECIFIED.
        (words.CRAWFORDS, {None, *Crawford}, state_pb2.Crawford, set()),
        (
            words.GAME_ENDS,
            set(How),
            fact_pb2.GameEnd,
            # a remi is a game that ends on the board and that nobody wins
            {fact_pb2.GAME_END_REMI},
        ),
    ],
)
def test_the_tables_of_words_are_whole(
    table: dict[object, int], words_of_engine: set[object], enum: object, waiting: set[int]
) -> None:
    assert set(table) == words_of_engine
    assert len(set(table.values())) == len(table)
    of_contract = set(enum.values())  # type: ignore[attr-defined]
    assert set(table.values()) | waiting | {0} == of_contract
