"""Every call by every role, with its own seat, another's or none: the documented answer, and no event of a refusal."""

from collections.abc import AsyncIterator
from secrets import token_hex
from typing import Any

import grpc
import pytest
from tests.e2e import access
from tests.e2e.access import OK, ROLES, STATUS, TABLE, Row
from tests.e2e.access_asks import Asked
from tests.e2e.access_stages import Scene
from tests.e2e.reach import AUDIENCE, ISSUER, Reachable

from gammon.match.v1 import match_service_pb2, match_service_pb2_grpc
from gammon.rating.v1 import rating_service_pb2, rating_service_pb2_grpc
from gammon.rules.v1 import rules_service_pb2, rules_service_pb2_grpc
from gammon_client.errors import ConnectionLost, error_of
from gammon_shell.errors import read_error
from gammon_shell.identity import SigningKey, bearer

CONTRACTS: dict[str, tuple[Any, Any]] = {
    "match": (match_service_pb2.DESCRIPTOR, match_service_pb2_grpc.MatchServiceStub),
    "rules": (rules_service_pb2.DESCRIPTOR, rules_service_pb2_grpc.RulesServiceStub),
    "rating": (rating_service_pb2.DESCRIPTOR, rating_service_pb2_grpc.RatingServiceStub),
}
# Which seat is asked for, and by whom: alice holds seat 0 and carol none.
HELD = {"own": ("alice", 0), "other": ("alice", 1), "none": ("carol", 1)}
STRANGERS_KEY = SigningKey.make()


def methods() -> dict[str, Any]:
    """The descriptor of every method, by `service.Method`."""
    return {
        f"{name}.{method.name}": method
        for name, (file, _) in CONTRACTS.items()
        for service in file.services_by_name.values()
        for method in service.methods
    }


def test_every_method_of_the_contracts_has_a_row() -> None:
    assert {row.method for row in TABLE} == set(methods())


def test_each_row_says_one_thing_of_a_role_and_only_what_has_a_status() -> None:
    for row in TABLE:
        named = [role for grant in row.grants for role in grant.roles]
        assert len(named) == len(set(named)), row
        assert set(named) <= set(ROLES), row
        assert {row.expected(role, held) for role in ROLES for held in HELD} <= set(STATUS), row


def test_the_page_shows_the_table() -> None:
    page = access.PAGE.read_text()
    assert access.replaced(page) == page


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.method}, {row.asked}")
async def test_who_may_what(suite: Reachable, row: Row) -> None:
    """Case S15 for every call."""
    async with suite.channel() as matches, suite.channel(row.method.split(".")[0]) as channel:
        scene = Scene(suite, matches, token_hex(6))
        match = None
        wrong = {}
        for role in (*ROLES, "no role", "no token", "bad token"):
            for held, (person, seat) in HELD.items():
                match = match or await row.stage(scene)
                asked = Asked(scene, match, seat, token_hex(8))
                before = await scene.heads()
                answer = await answer_to(channel, row, asked, credentials(scene, role, person))
                expected = row.expected(role, held) if role in ROLES else UNLESS_A_ROLE[role]
                kept = await scene.heads() == before
                if answer != (STATUS[expected], expected) or not (kept or STATUS[expected] == "OK"):
                    wrong[role, held] = answer, "kept" if kept else "changed"
                if not kept:
                    match = None
        assert wrong == {}


UNLESS_A_ROLE = {"no role": "ROLE_REQUIRED", "no token": "UNAUTHENTICATED", "bad token": "UNAUTHENTICATED"}


def credentials(scene: Scene, role: str, person: str) -> tuple[tuple[str, str], ...]:
    """Metadata of a caller."""
    subject = scene.person(person)
    match role:
        case "no token":
            return ()
        case "no role":
            return scene.suite.metadata(subject)
        case "bad token":
            return tuple(bearer(STRANGERS_KEY.token(subject, ROLES, ISSUER, AUDIENCE)))
    return scene.suite.metadata(subject, role)


async def answer_to(
    channel: grpc.aio.Channel, row: Row, asked: Asked, metadata: tuple[tuple[str, str], ...], attempts: int = 5
) -> tuple[str, str]:
    """The status and the reason of a call, or what its answer amounts to.

    Where the library has lost an answer the same is asked again, as clients do.
    """
    service, name = row.method.split(".")
    call = getattr(CONTRACTS[service][1](channel), name)
    request = row.request(asked)
    sent = iter(request) if isinstance(request, list) else request
    calling = call(sent, metadata=metadata, timeout=20)
    try:
        if methods()[row.method].server_streaming:
            answers = [answer async for answer in enough(calling)]
        else:
            answers = [await calling]
    except grpc.aio.AioRpcError as refused:
        if isinstance(error_of(refused), ConnectionLost) and attempts > 1:
            return await answer_to(channel, row, asked, metadata, attempts - 1)
        return refused.code().name, read_error(refused).reason
    finally:
        calling.cancel()
    return OK, row.judge(asked, answers)


async def enough(stream: Any) -> AsyncIterator[Any]:
    """What a stream says, of one that does not end until it has said what there is."""
    async for answer in stream:
        yield answer
        if isinstance(answer, match_service_pb2.WatchMatchResponse):
            return
        if isinstance(answer, match_service_pb2.WatchMatchesResponse) and not answer.match_id:
            return
