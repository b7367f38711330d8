"""Looking ahead, preferences and take-backs of the client: asked again word for word, and with receipts."""

from tests.client.scripted_match_service import MATCH, Running, hash_of, refusal
from tests.client.test_match_client import client, running

from gammon.match.v1 import settings_pb2
from gammon.rules.v1 import action_pb2
from gammon_client.match_client import MatchClient, Receipt
from gammon_client.table_calls import AnswerBack, ProposeBack

__all__ = ["client", "running"]
DROP = action_pb2.Action(drop=action_pb2.Drop())


async def test_a_preview_leaves_no_receipt(running: Running, client: MatchClient) -> None:
    await client.preview_act(MATCH, 1, DROP)
    (request,) = running.service.requests
    assert (request.match_id, request.seat, request.action) == (MATCH, 1, DROP)
    assert client.receipts == {}


async def test_preferences_are_asked_for_again_word_for_word(running: Running, client: MatchClient) -> None:
    running.service.refusals = [refusal("OUTCOME_UNKNOWN")]
    wanted = settings_pb2.SeatPreferences(play_forced=True)
    await client.set_preferences(MATCH, 0, wanted)
    first, again = running.service.requests
    assert first == again
    assert (first.seat, first.preferences) == (0, wanted)
    assert len(first.request_id) == 32
    assert client.receipts[MATCH] == Receipt(9, hash_of(9))


async def test_take_backs_are_asked_for_again_on_what_was_seen(running: Running, client: MatchClient) -> None:
    running.service.refusals = [refusal("NOT_CONFIRMED")]
    await client.take_back(MATCH, 0, ProposeBack(4), seen=Receipt(7, hash_of(7)))
    await client.take_back(MATCH, 1, AnswerBack(accept=False), seen=client.receipts[MATCH], request_id="mine")
    first, again, answer = running.service.requests
    assert first == again
    assert (first.WhichOneof("word"), first.propose_to_sequence, first.seen_sequence) == ("propose_to_sequence", 4, 7)
    assert (answer.WhichOneof("word"), answer.accept, answer.seen_sequence, answer.request_id) == (
        "accept",
        False,
        9,
        "mine",
    )
