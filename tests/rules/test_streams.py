"""Rulings over streams: whole matches, violations by their rule, questions that cannot be understood."""

import asyncio
from random import Random

import pytest
from tests.rules.conftest import START, Law, Stream, refusal

from gammon.rules.v1 import action_pb2, state_pb2
from gammon.rules.v1 import rules_service_pb2 as pb
from gammon.rules.v1.play_pb2 import Play
from gammon.rules.v1.settings_pb2 import GAME_BACKGAMMON, GAME_RUNGAMMON, MatchPlay, SessionPlay, Settings
from gammon_engine.registry import GAMES
from gammon_engine.settings import GameId

MATCH = Settings(game=GAME_BACKGAMMON, seats=2, match=MatchPlay(points=3))
SESSION = Settings(game=GAME_BACKGAMMON, seats=2, session=SessionPlay(games=3, beavers=True, raccoons=True))


def asked(ruling: pb.Ruling | bytes, settings: Settings, **action: object) -> pb.Question:
    """A question about an action."""
    state = ruling if isinstance(ruling, bytes) else ruling.state
    return pb.Question(rules_version="1", settings=settings, state=state, action=action_pb2.Action(**action))  # type: ignore[arg-type]


def roll(*dice: int) -> action_pb2.Roll:
    return action_pb2.Roll(dice=dice)


def text(play: str) -> action_pb2.MakePlay:
    return action_pb2.MakePlay(text=play)


async def play_out(law: Law, stream: Stream, settings: Settings, seed: int) -> list[pb.Ruling]:
    """All rulings of a match by random legal acts."""
    random = Random(seed)
    rulings = [await law.begin(settings)]
    while not rulings[-1].summary.HasField("result"):
        ruling = rulings[-1]
        state, summary = state_pb2.State.FromString(ruling.state), ruling.summary
        seat = summary.seats_to_act[0]
        match summary.phase:
            case state_pb2.PHASE_OPENING | state_pb2.PHASE_TO_ROLL:
                may_double = summary.phase == state_pb2.PHASE_TO_ROLL and random.random() < 0.05
                answer = await stream.ask(asked(ruling, settings, seat=seat, double={})) if may_double else None
                if answer is not None and answer.HasField("ruling"):
                    rulings.append(answer.ruling)
                    continue
                dice = [random.randint(1, 6) for _ in range(summary.draw.count)]
                question = asked(ruling, settings, seat=seat, roll=roll(*dice))
            case state_pb2.PHASE_DOUBLED:
                question = asked(ruling, settings, seat=seat, **{random.choice(("take", "drop")): {}})
            case _:
                board = pb.PlayQuestion(settings=settings, position=state.position, seat=seat, roll=state.dice)
                listed = await law.stub.ListLegalPlays(pb.ListLegalPlaysRequest(question=board), metadata=law.asks)
                play = random.choice(listed.plays.plays)
                form = action_pb2.MakePlay(steps=Play(steps=play.steps)) if random.random() < 0.5 else text(play.text)
                question = asked(ruling, settings, seat=seat, play=form)
        rulings.append(await stream.ruled(question))
    return rulings


def checked(rulings: list[pb.Ruling]) -> None:
    """What every match shows, whoever played it (rules 1.8, 6.3, 7.1)."""
    kinds = [fact.WhichOneof("kind") for ruling in rulings for fact in ruling.facts]
    assert kinds[-1] == "play_ended"
    assert {"opening_thrown", "game_opened", "rolled", "play_made", "game_ended"} <= set(kinds)
    score = [0, 0]
    for fact in (fact for ruling in rulings for fact in ruling.facts if fact.HasField("game_ended")):
        (winner,) = fact.game_ended.winners
        won = 2**fact.game_ended.cube_log2 * max(fact.game_ended.counted, 1)
        assert fact.game_ended.points[winner].numerator == won
        score[winner] += won
    assert [points.numerator for points in rulings[-1].summary.score] == score
    assert max(score) >= 3
    assert list(rulings[-1].summary.result.winners) == [score.index(max(score))]


async def test_two_matches_over_two_streams_at_once(law: Law) -> None:
    async with law.stream() as first, law.stream() as second:
        both = await asyncio.gather(play_out(law, first, MATCH, 1), play_out(law, second, MATCH, 2))
    for rulings in both:
        checked(rulings)
    # Each is the match that its seed plays alone.
    async with law.stream() as alone:
        assert await play_out(law, alone, MATCH, 1) == both[0]


async def test_the_unary_call_rules_as_the_stream_does(law: Law) -> None:
    begun = await law.begin(MATCH)
    question = asked(begun, MATCH, seat=0, roll=roll(3, 1))
    async with law.stream() as stream:
        ruling = await stream.ruled(question)
    assert (await law.stub.Rule(pb.RuleRequest(question=question), metadata=law.asks)).ruling == ruling


async def test_a_broken_rule_is_an_answer_with_its_number_and_the_stream_goes_on(law: Law) -> None:
    async with law.stream() as stream:
        begun = await law.begin(MATCH)
        opened = await stream.ruled(asked(begun, MATCH, seat=0, roll=roll(3, 1)))
        for ruling, action, rule in (
            (begun, {"seat": 0, "play": text("8/5 6/5")}, "1.7"),
            (begun, {"seat": 0, "roll": roll(3)}, "1.7"),
            (opened, {"seat": 0, "roll": roll()}, "1.3"),
            (opened, {"seat": 1, "play": text("8/5 6/5")}, "1.3"),
            (opened, {"seat": 0, "play": text("8/5")}, "1.4"),
            (opened, {"seat": 0, "play": text("6/3 24/23*")}, "9.6"),
            (opened, {"seat": 0, "play": text("24/23 13/9")}, "9.6"),
            (opened, {"seat": 0, "double": {}}, "1.3"),
            (opened, {"seat": 7, "take": {}}, "1.1"),
            (opened, {"seat": 1, "resign": {"level": 4}}, "8.1"),
            (opened, {"seat": 1, "settle": {"points": 1}}, "8.6"),
            (opened, {"seat": 0, "stay": {}}, "6.10"),
            (opened, {"seat": 0, "choose": {"game": 4}}, "7.6"),
            (opened, {"end_session": {}}, "7.3"),
        ):
            answer = await stream.ask(asked(ruling, MATCH, **action))
            assert answer.violation.rule == rule, (action, answer)
            assert answer.violation.reason
        played = await stream.ruled(asked(opened, MATCH, seat=0, play=text("8/5 6/5")))
        refused = await stream.ask(asked(played, MATCH, seat=1, roll=roll(7, 1)))
        assert (refused.violation.rule, refused.violation.value) == ("1.1", "7-1")


async def test_a_question_that_cannot_be_understood_says_all_that_is_wrong_and_the_stream_goes_on(
    law: Law, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(GAMES, GameId.RUNGAMMON, raising=False)
    begun = await law.begin(MATCH)
    good = asked(begun, MATCH, seat=0, roll=roll(3, 1))
    async with law.stream() as stream:
        for question, reason, fields in (
            (pb.Question(), "UNKNOWN_RULES_VERSION", {"rules_version"}),
            (pb.Question(rules_version="1"), "MALFORMED", {"settings.game", "settings.seats", "settings.play"}),
            (
                asked(begun, Settings(game=GAME_RUNGAMMON, seats=2, match=MATCH.match)),
                "UNSUPPORTED",
                {"settings.game"},
            ),
            (asked(b"", MATCH, seat=0, roll=roll(3, 1)), "MALFORMED", {"state.phase"}),
            (asked(b"\xff\xff", MATCH, seat=0, roll=roll(3, 1)), "MALFORMED", {"state"}),
            (asked(begun, SESSION, seat=0, roll=roll(3, 1)), "MALFORMED", {"state.crawford"}),
            (asked(begun, MATCH), "MALFORMED", {"action.seat", "action.kind"}),
            (asked(begun, MATCH, play={}), "MALFORMED", {"action.seat", "action.play"}),
        ):
            answer = await stream.ask(question)
            assert answer.misunderstanding.reason == f"ERROR_REASON_{reason}", (question, answer)
            assert {fault.field for fault in answer.misunderstanding.faults} == fields
            assert (await stream.ask(good)).HasField("ruling")


@pytest.mark.parametrize(
    ("question", "code", "reason", "fields"),
    [
        (pb.Question(rules_version="2"), "FAILED_PRECONDITION", "UNKNOWN_RULES_VERSION", {"question.rules_version"}),
        (
            pb.Question(rules_version="1"),
            "INVALID_ARGUMENT",
            "MALFORMED",
            {"question.settings.game", "question.settings.seats", "question.settings.play"},
        ),
        (asked(b"", MATCH), "INVALID_ARGUMENT", "MALFORMED", {"question.state.phase"}),
        (
            asked(b"", Settings(game=GAME_RUNGAMMON, seats=2, match=MATCH.match)),
            "FAILED_PRECONDITION",
            "UNSUPPORTED",
            {"question.settings.game"},
        ),
    ],
)
async def test_the_unary_call_refuses_it_with_a_status(
    law: Law, question: pb.Question, code: str, reason: str, fields: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(GAMES, GameId.RUNGAMMON, raising=False)
    told = await refusal(law.stub.Rule(pb.RuleRequest(question=question), metadata=law.asks))
    assert (told.code.name, told.reason, told.domain) == (code, reason, "rules.gammon")
    assert {fault.field for fault in told.fields} == fields
    if reason == "UNKNOWN_RULES_VERSION":
        assert told.metadata == {"asked": "2", "served": "1"}


async def test_a_stake_that_the_contract_cannot_carry_is_refused_and_play_goes_on(law: Law) -> None:
    """Rule 6.2 has no bound, 64 bits of points have one: a raise beyond 2 ** 40 is unsupported, not against the law."""
    request = pb.SetUpRequest(settings=SESSION, position=START, turn=0, cube_log2=39, cube_owner=0)
    ruling = (await law.stub.SetUp(request, metadata=law.asks)).ruling
    async with law.stream() as stream:
        offered = await stream.ruled(asked(ruling, SESSION, seat=0, double={}))
        beaver = await stream.ask(asked(offered, SESSION, seat=1, beaver={}))
        assert beaver.misunderstanding.reason == "ERROR_REASON_UNSUPPORTED"
        taken = await stream.ruled(asked(offered, SESSION, seat=1, take={}))
        assert taken.facts[0].double_taken.cube_log2 == 40
        rolled = await stream.ruled(asked(taken, SESSION, seat=0, roll=roll(3, 1)))
        played = await stream.ruled(asked(rolled, SESSION, seat=0, play=text("8/5 6/5")))
        again = await stream.ask(asked(played, SESSION, seat=1, double={}))
        assert again.misunderstanding.reason == "ERROR_REASON_UNSUPPORTED"
        (fault,) = again.misunderstanding.faults
        assert (fault.field, fault.value, fault.rule) == ("action.kind", "double", "6.2")
        offer = await stream.ruled(asked(played, SESSION, seat=1, resign={"level": 3}))
        over = await stream.ruled(asked(offer, SESSION, seat=0, accept={}))
        assert [points.numerator for points in over.summary.score] == [3 << 40, -(3 << 40)]


async def test_a_batch_of_legal_plays_does_not_hold_up_a_ruling(law: Law) -> None:
    board = pb.PlayQuestion(settings=MATCH, position=START, roll=[2, 2])
    batch = pb.BatchListLegalPlaysRequest(questions=[board] * 1000, counts_only=True)
    begun = await law.begin(MATCH)
    async with law.stream() as stream:
        await stream.ruled(asked(begun, MATCH, seat=0, roll=roll(3, 1)))
        listing = asyncio.ensure_future(law.stub.BatchListLegalPlays(batch, metadata=law.asks))
        await asyncio.sleep(0.05)
        await stream.ruled(asked(begun, MATCH, seat=0, roll=roll(3, 1)))
        assert not listing.done()
        assert len((await listing).answers) == 1000
