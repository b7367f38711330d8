"""Who may ask the law, what it lists, and what it says about requests that are wrong."""

from typing import Any

import pytest
from tests.rules.conftest import START, Law, refusal

from gammon.rules.v1 import rules_service_pb2 as pb
from gammon.rules.v1.play_pb2 import Points, Step
from gammon.rules.v1.settings_pb2 import (
    CENTRES_FOUR,
    CUBE_ON,
    GAME_BACKGAMMON,
    SETUP_HYPERGAMMON,
    MatchPlay,
    SessionPlay,
    Settings,
)
from gammon_engine.registry import GAMES
from gammon_engine.settings import GameId
from gammon_rules.service.roles import ROLES

MATCH = Settings(game=GAME_BACKGAMMON, seats=2, match=MatchPlay(points=5))
BOARD = pb.PlayQuestion(settings=MATCH, position=START, roll=[3, 1])
ALL_ROLES = ("player", "spectator", "operator", "auditor", "service")

# One request a method, and who may send it.
REQUESTS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "ListGames": (pb.ListGamesRequest(), ALL_ROLES),
    "Begin": (pb.BeginRequest(settings=MATCH), ALL_ROLES),
    "SetUp": (pb.SetUpRequest(settings=MATCH, position=START), ALL_ROLES),
    "Rule": (pb.RuleRequest(), ("service",)),
    "RuleStream": (pb.RuleStreamRequest(), ("service",)),
    "ListLegalPlays": (pb.ListLegalPlaysRequest(question=BOARD), ALL_ROLES),
    "BatchListLegalPlays": (pb.BatchListLegalPlaysRequest(questions=[BOARD]), ALL_ROLES),
    "ListNextSteps": (pb.ListNextStepsRequest(question=BOARD), ALL_ROLES),
    "ReadPlay": (pb.ReadPlayRequest(question=BOARD, text="8/5 6/5"), ALL_ROLES),
    "DrawPosition": (pb.DrawPositionRequest(settings=MATCH, position=START), ALL_ROLES),
}


async def sent(law: Law, method: str, metadata: Any) -> Any:
    request, _ = REQUESTS[method]
    if method == "RuleStream":
        return [answer async for answer in law.stub.RuleStream(iter([request]), metadata=metadata)]
    return await getattr(law.stub, method)(request, metadata=metadata)


def test_every_method_has_a_request_here_and_its_roles() -> None:
    methods = {method.name for method in pb.DESCRIPTOR.services_by_name["RulesService"].methods}
    assert set(REQUESTS) == methods
    assert {f"/gammon.rules.v1.RulesService/{name}": set(roles) for name, (_, roles) in REQUESTS.items()} == {
        name: set(roles) for name, roles in ROLES.items()
    }


@pytest.mark.parametrize("method", REQUESTS)
async def test_each_method_is_for_its_roles_only(law: Law, method: str) -> None:
    _, allowed = REQUESTS[method]
    for role in (*ALL_ROLES, "stranger"):
        metadata = law.metadata(role)
        if role in allowed:
            if method == "Rule":
                assert (await refusal(sent(law, method, metadata))).reason == "UNKNOWN_RULES_VERSION"
            else:
                await sent(law, method, metadata)
        else:
            told = await refusal(sent(law, method, metadata))
            assert (told.code.name, told.reason) == ("PERMISSION_DENIED", "ROLE_REQUIRED")
    assert (await refusal(sent(law, method, ()))).code.name == "UNAUTHENTICATED"


async def test_the_games_are_listed_with_options_that_the_contract_has(law: Law) -> None:
    listed = await law.stub.ListGames(pb.ListGamesRequest(), metadata=law.asks)
    assert listed.rules_version == "1"
    # Every game by itself, and the mixed match.
    assert len(listed.games) == len(GAMES) + 1
    for game in listed.games:
        assert game.name
        assert 2 <= game.min_seats <= game.max_seats <= 4
        for option in game.options:
            described: Any = Settings.DESCRIPTOR
            for name in option.split("."):
                described = described.fields_by_name[name].message_type
        for note in game.rulings:
            assert note.text
            assert note.rule[0].isdigit()


async def test_u1_every_game_has_presets_that_a_match_can_begin_with(law: Law) -> None:
    listed = await law.stub.ListGames(pb.ListGamesRequest(), metadata=law.asks)
    by_game = {game.name: [preset.name for preset in game.presets] for game in listed.games}
    assert by_game == {
        "Backgammon": ["match", "money-session", "nackgammon", "longgammon", "hypergammon"],
        "Catchgammon": ["match", "money-session"],
        "Rungammon": ["match", "money-session"],
        "Trackgammon": ["match", "money-session", "money-session-3", "money-session-4"],
        "Gammon games": ["match"],
    }
    for game in listed.games:
        for preset in game.presets:
            assert preset.settings.game == game.game
            assert game.min_seats <= preset.settings.seats <= game.max_seats
            assert preset.description
            assert (await law.begin(preset.settings)).state
        # The usual one for two is a match with the cube.
        assert game.presets[0].settings.WhichOneof("play") == "match"
        assert game.presets[0].settings.cube == CUBE_ON
    options = {preset.name: preset.settings for game in listed.games for preset in game.presets}
    assert options["hypergammon"].setup == SETUP_HYPERGAMMON
    trackgammon = listed.games[[game.name for game in listed.games].index("Trackgammon")]
    # A win of Trackgammon is always single (5.16), so Jacoby would change nothing.
    assert [p.settings.session.jacoby for p in trackgammon.presets if p.name == "money-session"] == [False]


@pytest.mark.parametrize(
    ("method", "request_", "fields"),
    [
        ("Begin", pb.BeginRequest(), {"game", "seats", "play"}),
        (
            "Begin",
            pb.BeginRequest(settings=Settings(game=GAME_BACKGAMMON, seats=3, match=MatchPlay(), centres=CENTRES_FOUR)),
            {"seats", "match", "match.points", "centres"},
        ),
        ("SetUp", pb.SetUpRequest(), {"settings.game", "settings.seats", "settings.play"}),
        (
            "SetUp",
            pb.SetUpRequest(
                settings=MATCH, position="24:3", turn=2, cube_log2=41, score=[Points(numerator=-(1 << 63))]
            ),
            {"position", "turn", "cube_log2", "score"},
        ),
        ("SetUp", pb.SetUpRequest(settings=MATCH, position=START, score=[Points(numerator=9), Points()]), {"score"}),
        ("SetUp", pb.SetUpRequest(settings=MATCH, position=START, cube_owner=2), {"cube_log2"}),
        ("SetUp", pb.SetUpRequest(settings=MATCH, position=START, crawford_played=True), {"crawford_played"}),
        (
            "ListLegalPlays",
            pb.ListLegalPlaysRequest(question=pb.PlayQuestion(settings=MATCH, position="", seat=2, roll=[0])),
            {"question.position", "question.seat", "question.roll"},
        ),
        (
            "ListLegalPlays",
            pb.ListLegalPlaysRequest(
                question=pb.PlayQuestion(settings=MATCH, position="off:15 24:2,13:5,8:3,6:5", roll=[1, 2])
            ),
            {"question.position"},
        ),
        ("ReadPlay", pb.ReadPlayRequest(), {"question.settings.game", "question.settings.seats"}),
        (
            "ListNextSteps",
            pb.ListNextStepsRequest(question=pb.PlayQuestion(settings=MATCH, position="", seat=2, roll=[0])),
            {"question.position", "question.seat", "question.roll"},
        ),
        (
            "ListNextSteps",
            pb.ListNextStepsRequest(question=BOARD, chosen=[Step(number=3, origin=8, target=5), Step(number=3)]),
            {"chosen[1]"},
        ),
        (
            "DrawPosition",
            pb.DrawPositionRequest(settings=MATCH, position="x", seat=2, form=9),  # type: ignore[arg-type]
            {"position", "seat", "form"},
        ),
        (
            "BatchListLegalPlays",
            pb.BatchListLegalPlaysRequest(questions=[BOARD] * 1001),
            {"questions"},
        ),
    ],
)
async def test_all_faults_of_a_request_come_at_once_by_field(
    law: Law, method: str, request_: Any, fields: set[str]
) -> None:
    told = await refusal(getattr(law.stub, method)(request_, metadata=law.asks))
    assert (told.code.name, told.reason, told.domain) == ("INVALID_ARGUMENT", "MALFORMED", "rules.gammon")
    assert {fault.field for fault in told.fields} == fields


@pytest.mark.parametrize(
    ("game", "missing"),
    [(2, GameId.TRACKGAMMON), (3, GameId.CATCHGAMMON), (4, GameId.RUNGAMMON)],
)
async def test_a_game_that_is_not_played_here_is_refused_by_every_call_that_names_it(
    law: Law, game: int, missing: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(GAMES, missing)
    settings = Settings(game=game, seats=2, match=MATCH.match)  # type: ignore[arg-type]
    board = pb.PlayQuestion(settings=settings, position=START, roll=[3, 1])
    for call, field in (
        (law.stub.Begin(pb.BeginRequest(settings=settings), metadata=law.asks), "game"),
        (law.stub.SetUp(pb.SetUpRequest(settings=settings), metadata=law.asks), "settings.game"),
        (
            law.stub.ListLegalPlays(pb.ListLegalPlaysRequest(question=board), metadata=law.asks),
            "question.settings.game",
        ),
        (law.stub.ListNextSteps(pb.ListNextStepsRequest(question=board), metadata=law.asks), "question.settings.game"),
        (law.stub.DrawPosition(pb.DrawPositionRequest(settings=settings), metadata=law.asks), "settings.game"),
    ):
        told = await refusal(call)
        assert (told.code.name, told.reason) == ("FAILED_PRECONDITION", "UNSUPPORTED")
        assert [fault.field for fault in told.fields] == [field]
        assert "not" in told.fields[0].description


async def test_a_game_set_up_is_in_progress_as_it_was_set(law: Law) -> None:
    request = pb.SetUpRequest(
        settings=MATCH,
        position="bar:1,6:14 24:2,13:5,8:3,6:5",
        turn=1,
        score=[Points(numerator=4), Points(numerator=1)],
        cube_log2=1,
        cube_owner=1,
        crawford_played=True,
    )
    ruling = (await law.stub.SetUp(request, metadata=law.asks)).ruling
    asked = pb.Question(rules_version="1", settings=MATCH, state=ruling.state)
    asked.action.seat = 1
    asked.action.double.SetInParent()
    answer = await law.stub.Rule(pb.RuleRequest(question=asked), metadata=law.asks)
    assert answer.ruling.facts[0].double_offered.cube_log2 == 2
    session = Settings(game=GAME_BACKGAMMON, seats=2, session=SessionPlay())
    request = pb.SetUpRequest(settings=session, position=START, score=[Points(numerator=1), Points(numerator=1)])
    assert [f.field for f in (await refusal(law.stub.SetUp(request, metadata=law.asks))).fields] == ["score"]
