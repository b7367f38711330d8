"""The interceptor on real calls: admission, statuses, deadlines and the log line."""

import asyncio
from dataclasses import replace
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Note
from tests.shell.conftest import Opened
from tests.shell.echo import DOMAIN, REFUSAL, SECRET, SERVICE, Echo, Notes, Tripping, policy

from gammon_shell.errors import read_error
from gammon_shell.identity import SigningKey


def calls(log: list[Any]) -> list[Any]:
    return [event for event in log if event["event"] == "call"]


async def refusal(call: Any) -> Any:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return read_error(caught.value)


async def every(call: Any) -> list[int]:
    return [answer.number async for answer in call]


async def test_each_kind_of_call_is_served(echo: Echo) -> None:
    assert (await echo.say("hello")).name == "hello"
    for method in ("Count", "CountWritten"):
        assert await every(echo.count(number=3, method=method)) == [0, 1, 2]
    assert (await echo.gather([Note(number=4), Note(number=5)])).number == 9
    for method in ("Chat", "ChatWritten"):
        assert await every(echo.chat([Note(number=7), Note(number=8)], method)) == [7, 8]


async def test_one_line_for_each_call(echo: Echo, log: list[Any]) -> None:
    await echo.say("hello", number=0, label=Note.LABEL_OPTIONAL)
    (line,) = calls(log)
    # number is optional, and its 0 a value like any other; a message and a field that there is not are left out
    assert (line["name"], line["number"], line["label"]) == ("hello", "0", "1")
    assert "options" not in line
    assert "nothing" not in line
    assert (line["method"], line["code"], line["subject"]) == (f"/{SERVICE}/Say", "OK", "anna")
    assert 0 < line["ms"] < 5000
    assert line["log_level"] == "info"
    assert "reason" not in line
    log.clear()
    await every(echo.count(number=3))
    await every(echo.chat([Note(), Note()]))
    assert [line["code"] for line in calls(log)] == ["OK", "OK"]


async def test_fields_that_are_not_set_are_not_logged_and_long_ones_are_cut(echo: Echo, log: list[Any]) -> None:
    await echo.say("x" * 1000)
    (line,) = calls(log)
    assert line["name"] == "x" * 100
    assert "number" not in line


@pytest.mark.parametrize("kind", ["Say", "Count", "CountWritten", "Gather", "Chat", "ChatWritten"])
async def test_a_rejection_becomes_the_status_of_any_kind_of_call(echo: Echo, log: list[Any], kind: str) -> None:
    told = await refusal(_asked(echo, kind, "reject"))
    assert told == replace(REFUSAL, domain=DOMAIN)
    (line,) = calls(log)
    assert (line["code"], line["reason"], line["log_level"]) == ("FAILED_PRECONDITION", "TOO_LATE", "info")


@pytest.mark.parametrize("kind", ["Say", "Count", "CountWritten", "Gather", "Chat", "ChatWritten"])
async def test_a_fault_is_internal_and_tells_an_id_only(echo: Echo, log: list[Any], kind: str) -> None:
    """Cases S21: a code and an id outside, the trace in the log."""
    told = await refusal(_asked(echo, kind, "crash"))
    assert (told.code, told.reason, told.domain) == (grpc.StatusCode.INTERNAL, "INTERNAL", DOMAIN)
    assert SECRET not in repr(told)
    assert "ValueError" not in repr(told)
    (line,) = calls(log)
    assert told.metadata == {"call_id": line["call_id"]}
    assert (line["code"], line["log_level"]) == ("INTERNAL", "error")
    assert isinstance(line["exc_info"], ValueError)


async def test_a_fault_before_the_handler_is_internal_too(opened: Opened, key: SigningKey, log: list[Any]) -> None:
    async with opened(replace(policy(key), principals=Tripping())) as echo:
        told = await refusal(echo.say())
    assert (told.code, told.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert SECRET not in repr(told)
    assert calls(log)[0]["code"] == "INTERNAL"


def _asked(echo: Echo, kind: str, name: str) -> Any:
    match kind:
        case "Say":
            return echo.say(name)
        case "Count" | "CountWritten":
            return every(echo.count(name, number=2, method=kind))
        case "Gather":
            return echo.gather([Note(name=name)])
        case _:
            return every(echo.chat([Note(name=name)], kind))


async def test_what_a_handler_says_by_itself_stands(echo: Echo, log: list[Any]) -> None:
    told = await refusal(echo.say("abort"))
    assert (told.code, told.reason, told.message) == (grpc.StatusCode.NOT_FOUND, "", "by itself")
    told = await refusal(echo.say("set code"))
    assert told.code is grpc.StatusCode.OUT_OF_RANGE
    async with asyncio.timeout(5):
        while len(calls(log)) < 2:  # the handler's own status is sent before its call ends
            await asyncio.sleep(0.01)
    assert [line["code"] for line in calls(log)] == ["NOT_FOUND", "OUT_OF_RANGE"]


async def test_the_principal_is_at_hand_in_the_handler(echo: Echo) -> None:
    answer = await echo.say("who", metadata=echo.metadata("bert", ("writer", "reader")))
    assert answer.name == "bert ['reader', 'writer']"


async def test_without_credentials_nobody_is_admitted(echo: Echo, notes: Notes, log: list[Any]) -> None:
    told = await refusal(echo.say(metadata=()))
    assert (told.code, told.reason) == (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED")
    assert told.metadata == {"fault": "there is no authorization metadata"}
    told = await refusal(echo.say(metadata=(("authorization", "Bearer not.a.token"),)))
    assert told.metadata == {"fault": "the token is malformed"}
    assert not notes.started.is_set()
    assert ["subject" in line for line in calls(log)] == [False, False]


async def test_a_role_is_required(echo: Echo, notes: Notes) -> None:
    for roles in (("reader",), ()):
        told = await refusal(echo.say(metadata=echo.metadata(roles=roles)))
        assert (told.code, told.reason) == (grpc.StatusCode.PERMISSION_DENIED, "ROLE_REQUIRED")
        assert told.metadata == {"role": ", ".join(roles) or "none", "method": f"/{SERVICE}/Say"}
    assert not notes.started.is_set()


async def test_a_method_that_no_role_may_call_is_refused(echo: Echo, notes: Notes) -> None:
    told = await refusal(echo.say(method="Unlisted"))
    assert (told.code, told.reason) == (grpc.StatusCode.PERMISSION_DENIED, "ROLE_REQUIRED")
    assert not notes.started.is_set()


async def test_a_method_that_does_not_exist_is_unimplemented(echo: Echo, log: list[Any]) -> None:
    told = await refusal(echo.say(method="Shout", metadata=()))
    assert (told.code, told.reason, told.domain) == (grpc.StatusCode.UNIMPLEMENTED, "UNIMPLEMENTED", DOMAIN)
    await refusal(echo.say(method="x" * 1000, metadata=()))
    assert [line["code"] for line in calls(log)] == ["UNIMPLEMENTED"] * 2
    assert len(calls(log)[1]["method"]) == 100


async def test_a_method_open_to_anyone_has_no_principal(echo: Echo) -> None:
    assert (await echo.say(method="Open", metadata=())).name == "nobody"


async def test_a_call_without_a_deadline_gets_one(
    opened: Opened, key: SigningKey, notes: Notes, log: list[Any]
) -> None:
    async with opened(policy(key, longest_s=0.2)) as echo:
        for timeout in (None, 30.0):
            told = await refusal(echo.say("sleep", timeout=timeout))
            assert (told.code, told.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED")
            assert told.metadata == {"longest_s": "0.2"}
            assert notes.cancelled.is_set()
    assert [(line["code"], line["log_level"]) for line in calls(log)] == [("DEADLINE_EXCEEDED", "warning")] * 2


async def test_a_timeout_of_the_handlers_own_is_a_fault(echo: Echo) -> None:
    told = await refusal(echo.say("time out", timeout=None))
    assert told.code is grpc.StatusCode.INTERNAL


async def test_a_stream_may_outlive_the_longest_call(opened: Opened, key: SigningKey) -> None:
    async with opened(policy(key, longest_s=0.1)) as echo:
        assert await every(echo.count("nap", number=2)) == [0, 1]


async def test_the_callers_own_deadline_cancels_the_handler(echo: Echo, notes: Notes, log: list[Any]) -> None:
    told = await refusal(echo.say("sleep", timeout=0.2))
    assert told.code is grpc.StatusCode.DEADLINE_EXCEEDED
    async with asyncio.timeout(5):
        await notes.cancelled.wait()
        while not calls(log):
            await asyncio.sleep(0.01)
    assert calls(log)[0]["code"] == "CANCELLED"


async def test_a_caller_that_leaves_ends_the_stream_and_its_generator(echo: Echo, notes: Notes, log: list[Any]) -> None:
    call = echo.count("sleep", number=1)
    assert (await call.read()).number == 0
    call.cancel()
    async with asyncio.timeout(5):
        await notes.closed.wait()
        while not calls(log):
            await asyncio.sleep(0.01)
    assert calls(log)[0]["code"] == "CANCELLED"


async def test_a_call_id_goes_on_from_caller_to_callee(echo: Echo, log: list[Any]) -> None:
    given = (*echo.metadata(), ("x-call-id", "abc-1"))
    assert (await echo.say("metadata", metadata=given)).name == "abc-1"
    bad = (*echo.metadata(), ("x-call-id", "no spaces, please"))
    made = (await echo.say("metadata", metadata=bad)).name
    again = (await echo.say("metadata")).name
    assert " " not in made
    assert len({"abc-1", made, again}) == 3
    assert [line["call_id"] for line in calls(log)] == ["abc-1", made, again]
