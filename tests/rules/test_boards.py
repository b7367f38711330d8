"""A board over real gRPC: built step by step, drawn, and asked about in bulk."""

from xml.etree import ElementTree

import pytest
from grpc import StatusCode
from tests.rules.conftest import START, Law, refusal

from gammon.rules.v1 import rules_service_pb2 as pb
from gammon.rules.v1.play_pb2 import Step
from gammon.rules.v1.settings_pb2 import GAME_BACKGAMMON, Settings
from gammon_engine.registry import GAMES
from gammon_engine.settings import SessionPlay
from gammon_engine.settings import Settings as Agreed
from gammon_rules.service import servicer
from gammon_wire.settings import settings_to_proto

BOARD = Settings(game=GAME_BACKGAMMON, seats=2)
# Every setting of the board of each game and number of seats.
BOARDS = [
    Agreed(game, SessionPlay(), seats) for game, registered in GAMES.items() for seats in registered.description.seats
]


async def next_steps(law: Law, question: pb.PlayQuestion, *chosen: Step) -> pb.ListNextStepsResponse:
    request = pb.ListNextStepsRequest(question=question, chosen=chosen)
    return await law.stub.ListNextSteps(request, metadata=law.asks)


async def test_a_play_is_built_click_by_click(law: Law) -> None:
    question = pb.PlayQuestion(settings=BOARD, position=START, seat=1, roll=[4, 4])
    first = await next_steps(law, question)
    assert not first.complete
    assert first.position == question.position
    chosen: list[Step] = []
    found = first
    while not found.complete:
        chosen.append(found.steps[-1])
        found = await next_steps(law, question, *chosen)
    assert len(chosen) == 4
    assert not found.steps
    plays = await law.stub.ListLegalPlays(pb.ListLegalPlaysRequest(question=question), metadata=law.asks)
    assert found.position in {play.position for play in plays.plays.plays}


async def test_only_steps_that_lead_to_a_legal_play_are_open_and_hits_are_marked(law: Law) -> None:
    # 18 is held, so the 6 can only follow 24/23, where a blot stands; 2/1 first would lose it.
    question = pb.PlayQuestion(settings=BOARD, position="24:1,2:1,off:13 13:12,7:2,2:1", roll=[6, 1])
    found = await next_steps(law, question)
    assert list(found.steps) == [Step(number=1, origin=24, target=23, hit=True)]
    told = await refusal(next_steps(law, question, Step(number=1, origin=2, target=1)))
    assert (told.code.name, told.reason) == ("INVALID_ARGUMENT", "MALFORMED")
    assert [(fault.field, fault.description[:9]) for fault in told.fields] == [("chosen[0]", "rule 1.4:")]


async def test_with_nothing_to_play_nothing_chosen_is_the_whole_play(law: Law) -> None:
    question = pb.PlayQuestion(settings=BOARD, position="bar:1,6:14 6:2,5:2,4:2,3:2,2:2,1:5", roll=[6, 6])
    found = await next_steps(law, question)
    assert (found.complete, list(found.steps), found.position) == (True, [], question.position)


async def test_each_game_is_drawn_in_both_forms_from_each_seat(law: Law) -> None:
    for agreed in BOARDS:
        game = GAMES[agreed.game].of(agreed)
        position = game.text(game.start())
        for seat in range(agreed.seats):
            request = pb.DrawPositionRequest(settings=settings_to_proto(agreed), position=position, seat=seat)
            text = (await law.stub.DrawPosition(request, metadata=law.asks)).drawing
            assert max(map(len, text.splitlines())) <= 80
            request.form = pb.DRAWING_FORM_SVG
            picture = ElementTree.fromstring((await law.stub.DrawPosition(request, metadata=law.asks)).drawing)
            assert picture.tag == "{http://www.w3.org/2000/svg}svg"
            assert picture.findtext("{http://www.w3.org/2000/svg}desc") == position


async def test_rolls_whose_plays_do_not_fit_into_a_message_are_refused(
    law: Law, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servicer, "MOST_ANSWER_BYTES", 40_000)

    def asked(number: int, *, counts_only: bool = False) -> pb.BatchListLegalPlaysRequest:
        question = pb.PlayQuestion(settings=BOARD, position=START, roll=[3, 1])
        return pb.BatchListLegalPlaysRequest(questions=[question] * number, counts_only=counts_only)

    told = await refusal(law.stub.BatchListLegalPlays(asked(100), metadata=law.asks))
    assert (told.code.name, told.reason) == ("INVALID_ARGUMENT", "MALFORMED")
    (fault,) = told.fields
    assert fault.field == "questions"
    # As many as it names do come, and one more would not have fitted.
    fitting = int(fault.description.partition("the first ")[2].partition(":")[0])
    answers = await law.stub.BatchListLegalPlays(asked(fitting), metadata=law.asks)
    assert [len(answer.plays.plays) for answer in answers.answers] == [16] * fitting
    assert 40_000 - answers.ByteSize() / fitting - 200 < answers.ByteSize() <= 40_000
    counts = await law.stub.BatchListLegalPlays(asked(100, counts_only=True), metadata=law.asks)
    assert [answer.plays.count for answer in counts.answers] == [16] * 100


async def test_a_thousand_of_the_longest_questions_fit_into_a_message_and_not_much_more(law: Law) -> None:
    """Thirty men on points of two digits are longer than any position: such a batch is read, and found faulty."""
    longest = " ".join([",".join(f"{point}:1" for point in range(10, 25))] * 2)

    def asked(position: str) -> pb.BatchListLegalPlaysRequest:
        agreed = settings_to_proto(BOARDS[0])
        return pb.BatchListLegalPlaysRequest(
            questions=[pb.PlayQuestion(settings=agreed, position=position, roll=[6, 5])] * 1000, counts_only=True
        )

    read = await law.stub.BatchListLegalPlays(asked(longest), metadata=law.asks)
    assert [answer.WhichOneof("answer") for answer in read.answers] == ["violation"] * 1000
    told = await refusal(law.stub.BatchListLegalPlays(asked(longest * 10), metadata=law.asks))
    assert told.code is StatusCode.RESOURCE_EXHAUSTED
