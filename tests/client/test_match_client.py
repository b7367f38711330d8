"""The client against a real gRPC server whose service answers as it is told: retries, receipts, pages, credentials."""

import asyncio
from collections.abc import AsyncIterator
from itertools import count

import grpc
import pytest
from tests.client.scripted_match_service import MATCH, Running, ScriptedMatchService, hash_of, refusal

from gammon.match.v1 import events_pb2
from gammon.match.v1 import match_service_pb2 as pb
from gammon.rules.v1 import action_pb2
from gammon_client.calls import Patience, open_channel
from gammon_client.errors import AgainstTheLaw, Conflict, ConnectionLost, NotWritten, Unavailable
from gammon_client.match_client import MatchClient, Receipt

ROLL = action_pb2.Action(roll=action_pb2.Roll())


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    running = Running(ScriptedMatchService())  # type: ignore[abstract]
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
async def client(running: Running) -> AsyncIterator[MatchClient]:
    async with open_channel(f"127.0.0.1:{running.port}") as channel:
        yield MatchClient(channel, "ticket", Patience(deadline_s=2.0, budget_s=5.0))


@pytest.mark.parametrize("reason", ["NOT_WRITTEN", "NOT_CONFIRMED", "OUTCOME_UNKNOWN", "RULES_UNAVAILABLE"])
async def test_what_is_not_settled_is_asked_again_word_for_word(
    running: Running, client: MatchClient, reason: str
) -> None:
    running.service.refusals = [refusal(reason), refusal(reason)]

    await client.act(MATCH, 0, ROLL, seen=Receipt(7, hash_of(7)))

    first, second, third = running.service.requests
    assert first == second == third
    assert len(first.request_id) == 32


async def test_a_request_id_that_is_given_is_used(running: Running, client: MatchClient) -> None:
    await client.act(MATCH, 1, ROLL, request_id="mine", seen=Receipt(7))
    await client.create_match(pb.Match().settings, request_id="new")

    assert [request.request_id for request in running.service.requests] == ["mine", "new"]


async def test_a_ruling_is_asked_again_word_for_word_and_leaves_a_receipt(
    running: Running, client: MatchClient
) -> None:
    running.service.refusals = [refusal("OUTCOME_UNKNOWN")]
    absent = events_pb2.DIRECTOR_REASON_ABSENCE
    void = action_pb2.Action(void_game=action_pb2.VoidGame())

    await client.direct_match(MATCH, void, absent, seen=Receipt(7, hash_of(7)))
    await client.direct_match(MATCH, pb.CloseRuling(), absent)

    first, again, close = running.service.requests
    assert first == again
    assert (first.action, first.reason, first.seen_sequence, first.seen_hash) == (void, absent, 7, hash_of(7))
    # The second ruling is made on what the first one left.
    assert (close.WhichOneof("ruling"), close.seen_sequence) == ("close", 9)
    assert close.request_id != first.request_id


async def test_each_act_has_a_request_id_of_its_own(running: Running, client: MatchClient) -> None:
    for _ in range(3):
        await client.act(MATCH, 0, ROLL, seen=Receipt(7))

    assert len({request.request_id for request in running.service.requests}) == 3


@pytest.mark.parametrize(
    ("reason", "code", "kind"),
    [
        ("CONFLICT", grpc.StatusCode.ABORTED, Conflict),
        ("AGAINST_THE_LAW", grpc.StatusCode.FAILED_PRECONDITION, AgainstTheLaw),
    ],
)
async def test_a_final_refusal_is_not_asked_again(
    running: Running, client: MatchClient, reason: str, code: grpc.StatusCode, kind: type[Exception]
) -> None:
    running.service.refusals = [refusal(reason, code)]

    with pytest.raises(kind):
        await client.act(MATCH, 0, ROLL, seen=Receipt(7))
    assert len(running.service.requests) == 1


async def test_the_budget_ends_the_retries_with_the_lastrefusal(running: Running, client: MatchClient) -> None:
    client = MatchClient(client.channel, "ticket", Patience(deadline_s=1.0, budget_s=0.3))
    running.service.refusals = [refusal("OUTCOME_UNKNOWN")] + [refusal("NOT_WRITTEN") for _ in range(99)]
    started = asyncio.get_running_loop().time()

    with pytest.raises(NotWritten):
        await client.act(MATCH, 0, ROLL, seen=Receipt(7))

    assert asyncio.get_running_loop().time() - started < 1.0
    assert len(running.service.requests) > 1


async def test_a_service_that_restarts_gets_the_same_request(running: Running, client: MatchClient) -> None:
    running.service.delay_s = 30.0
    acting = asyncio.create_task(client.act(MATCH, 0, ROLL, seen=Receipt(7)))
    while not running.service.requests:
        await asyncio.sleep(0.01)
    await running.stop()
    running.service.delay_s = 0.0
    await asyncio.sleep(0.2)
    await running.start()

    await acting

    assert len(running.service.requests) == 2
    assert running.service.requests[0] == running.service.requests[1]


async def test_nobody_there_is_a_lost_connection(running: Running) -> None:
    await running.stop()
    async with open_channel(f"127.0.0.1:{running.port}") as channel:
        client = MatchClient(channel, "ticket", Patience(deadline_s=0.5, budget_s=0.5))
        with pytest.raises(ConnectionLost):
            await client.get_match(MATCH)


async def test_no_answer_in_time_is_a_lost_connection(running: Running, client: MatchClient) -> None:
    running.service.delay_s = 5.0
    client = MatchClient(client.channel, "ticket", Patience(deadline_s=0.1, budget_s=0.25))
    with pytest.raises(Unavailable):
        await client.get_match(MATCH)
    assert len(running.service.requests) >= 2


async def test_receipts_are_what_was_seen_last(running: Running, client: MatchClient) -> None:
    await client.act(MATCH, 0, ROLL)  # nothing seen yet: reads the match first
    assert client.receipts[MATCH] == Receipt(9, hash_of(9))
    await client.get_match(MATCH, at_sequence=4)
    assert client.receipts[MATCH] == Receipt(9, hash_of(9))
    await client.act(MATCH, 0, ROLL)

    acts = [request for request in running.service.requests if isinstance(request, pb.ActRequest)]
    assert [(act.seen_sequence, act.seen_hash) for act in acts] == [(7, hash_of(7)), (9, hash_of(9))]


async def test_a_conflict_leaves_the_receipt(running: Running, client: MatchClient) -> None:
    await client.get_match(MATCH)
    running.service.refusals = [refusal("CONFLICT", grpc.StatusCode.ABORTED)]
    with pytest.raises(Conflict):
        await client.act(MATCH, 0, ROLL)
    assert client.receipts[MATCH] == Receipt(7, hash_of(7))


async def test_events_come_from_all_pages(client: MatchClient) -> None:
    stored = await client.list_events(MATCH)
    assert [event.sequence for event in stored.events] == [1, 2, 3, 4, 5]
    assert stored.head == pb.Head(sequence=5, hash=hash_of(5))
    assert [event.sequence for event in (await client.list_events(MATCH, 3)).events] == [4, 5]


async def test_matches_come_from_all_pages(client: MatchClient) -> None:
    assert [listing.match_id async for listing in client.list_matches()] == ["a", "b", "c"]


async def test_an_import_is_sent_again_from_its_header(running: Running, client: MatchClient) -> None:
    running.service.refusals = [refusal("RULES_UNAVAILABLE")]

    response = await client.import_match(pb.ImportHeader(), [pb.RecordedAct(), events_pb2.RecordClaimed()])

    assert response.stored_acts == 4
    assert running.service.requests == [["header", "act", "claim", "end"]] * 2


async def test_a_token_can_be_fixed_or_asked_for(running: Running, client: MatchClient) -> None:
    number = count(1)
    renewing = MatchClient(client.channel, lambda: f"ticket-{next(number)}", client.patience)
    running.service.refusals = [refusal("NOT_WRITTEN")]

    await renewing.get_match(MATCH)
    await client.get_match(MATCH)

    assert running.service.credentials == ["Bearer ticket-1", "Bearer ticket-2", "Bearer ticket"]
