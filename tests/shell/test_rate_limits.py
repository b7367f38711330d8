"""What one caller may ask: calls at a steady rate with a burst, streams at a time; and who is remembered."""

import asyncio
import time
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Note
from tests.shell.conftest import Opened
from tests.shell.echo import Notes, policy

from gammon_shell.config import RoleConfig
from gammon_shell.errors import Rejected, Rejection, read_error
from gammon_shell.identity import Principal, SigningKey
from gammon_shell.policy import policy_of
from gammon_shell.rate_limits import Allowance, RateLimits

ANNA = Principal("anna", frozenset({"player"}))
BERT = Principal("bert", frozenset({"player"}))
ANNA_AS_OPERATOR = Principal("anna", frozenset({"player", "operator"}))
MS = 1_000_000
SECOND = 1000 * MS


class Clock:
    """Stands still until it is told."""

    def __init__(self) -> None:
        self.now = 123_456_789

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limits(clock: Clock) -> RateLimits:
    """Players: 10 a second, 3 at once, 2 streams. The others: ten times that."""
    return RateLimits(Allowance(10, 3, 2), Allowance(100, 30, 20), clock)


def refused(limits: RateLimits, principal: Principal = ANNA) -> Rejection:
    with pytest.raises(Rejected) as caught:
        limits.take_call(principal)
    return caught.value.rejection


def taken(limits: RateLimits, principal: Principal) -> int:
    """How many calls pass now."""
    count = 0
    while True:
        try:
            limits.take_call(principal)
        except Rejected:
            return count
        count += 1


def test_a_burst_passes_and_then_the_steady_rate(limits: RateLimits, clock: Clock) -> None:
    """By hand: 3 at 0 ms; one more each 100 ms; after 250 ms of silence two, and the next 50 ms later."""
    assert taken(limits, ANNA) == 3
    for _ in range(5):
        clock.now += 100 * MS - 1
        refused(limits)
        clock.now += 1
        assert taken(limits, ANNA) == 1
    clock.now += 250 * MS
    assert taken(limits, ANNA) == 2
    assert refused(limits).metadata["retry_after_ms"] == "50"
    clock.now += 3600 * SECOND
    assert taken(limits, ANNA) == 3


def test_the_refusal_tells_the_limit_and_when_to_come_back(limits: RateLimits, clock: Clock) -> None:
    taken(limits, ANNA)
    clock.now += 30 * MS
    told = refused(limits)
    assert (told.code, told.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
    assert dict(told.metadata) == {"limit": "10 calls/s", "retry_after_ms": "70"}
    clock.now += 70 * MS
    limits.take_call(ANNA)


def test_a_refused_call_costs_nothing(limits: RateLimits, clock: Clock) -> None:
    taken(limits, ANNA)
    for _ in range(1000):
        refused(limits)
    clock.now += 100 * MS
    assert taken(limits, ANNA) == 1


def test_callers_do_not_share(limits: RateLimits) -> None:
    assert [taken(limits, caller) for caller in (ANNA, BERT, ANNA_AS_OPERATOR)] == [3, 3, 30]


def test_streams_are_counted_while_they_are_open(limits: RateLimits) -> None:
    with limits.stream(ANNA):
        with limits.stream(ANNA), limits.stream(BERT):
            with pytest.raises(Rejected) as caught, limits.stream(ANNA):
                pytest.fail("opened")
            told = caught.value.rejection
            assert (told.code, told.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
            assert dict(told.metadata) == {"limit": "2 streams", "retry_after_ms": "1000"}
        with pytest.raises(ZeroDivisionError), limits.stream(ANNA):
            raise ZeroDivisionError
        with limits.stream(ANNA):
            pass


def test_who_is_idle_is_forgotten_and_nobody_else(limits: RateLimits, clock: Clock) -> None:
    with limits.stream(BERT):
        taken(limits, BERT)
        for i in range(10_000):
            # 100 a second, each of whom has an empty bucket for 0.3 s: some 30 of them and the watcher count.
            taken(limits, Principal(f"p{i}", frozenset()))
            clock.now += 10 * MS
        assert limits.known() < 100
        with limits.stream(BERT), pytest.raises(Rejected), limits.stream(BERT):
            pytest.fail("the open stream was forgotten")


def test_an_empty_bucket_is_not_forgotten_however_many_come(limits: RateLimits) -> None:
    taken(limits, ANNA)
    for i in range(10_000):
        limits.take_call(Principal(f"p{i}", frozenset()))
    refused(limits, ANNA)


def test_a_call_is_counted_in_a_few_microseconds() -> None:
    limits = RateLimits()
    callers = [Principal(f"p{i}", frozenset({"player"})) for i in range(500)]
    best = 1.0
    for _ in range(5):
        started = time.perf_counter()
        for caller in callers:
            limits.take_call(caller)
        best = min(best, (time.perf_counter() - started) / len(callers))
    assert best < 15e-6


def test_the_usual_limits_are_beyond_a_bot_and_finite() -> None:
    limits = RateLimits()
    assert 5_000 <= taken(limits, ANNA) < 100_000
    assert 50_000 <= taken(limits, ANNA_AS_OPERATOR) < 1_000_000


async def test_calls_and_streams_are_refused_over_grpc_before_the_handler(
    opened: Opened, key: SigningKey, notes: Notes
) -> None:
    limits = RateLimits(Allowance(2, 4, 1))
    async with opened(policy(key, limits=limits)) as echo:
        watch = echo.count("sleep", number=1)
        assert (await watch.read()).number == 0
        for call in (echo.count(number=1), echo.chat([Note()]), echo.gather([Note(number=1)])):
            told = await told_by(call)
            assert (told.reason, told.metadata["limit"]) == ("RATE_LIMITED", "1 streams")
        notes.started.clear()
        told = await told_by(echo.say())
        assert (told.reason, told.metadata["limit"]) == ("RATE_LIMITED", "2 calls/s")
        assert not notes.started.is_set()
        # Another caller is served, and the same one after as long as it was told.
        assert (await echo.say("hello", metadata=echo.metadata("bert"))).name == "hello"
        await asyncio.sleep(int(told.metadata["retry_after_ms"]) / 1000)
        assert (await echo.say("hello")).name == "hello"
        watch.cancel()


@pytest.mark.parametrize("does", ["sleep", "", "crash", "reject"])
async def test_a_stream_gives_its_place_back_however_it_ends(opened: Opened, key: SigningKey, does: str) -> None:
    """Cancelled by its caller, ended, failed, refused."""
    limits = RateLimits(Allowance(1000, 1000, 1))
    async with opened(policy(key, limits=limits)) as echo:
        for _ in range(20):
            call = echo.count(does, number=1)
            assert (await call.read()).number == 0
            if does == "sleep":
                call.cancel()
            await asyncio.gather(call.code(), return_exceptions=True)
            await has_a_place(limits)


async def has_a_place(limits: RateLimits) -> None:
    """Waits until one more stream of the echo's caller is allowed: a cancellation takes a moment to arrive."""
    async with asyncio.timeout(5):
        while True:
            try:
                with limits.stream(Principal("anna", frozenset())):
                    return
            except Rejected:
                await asyncio.sleep(0.01)


def test_the_configuration_sets_the_limits(key: SigningKey, tmp_path: Path) -> None:
    public = tmp_path / "public.pem"
    public.write_bytes(key.public_pem)
    config = RoleConfig(
        auth_public_key=public,
        calls_per_s=1,
        calls_burst=2,
        streams_per_caller=1,
        trusted_calls_per_s=1,
        trusted_calls_burst=5,
        trusted_streams_per_caller=1,
    )
    limits = policy_of(config, "echo.test", {}).limits
    assert (taken(limits, ANNA), taken(limits, ANNA_AS_OPERATOR)) == (2, 5)
    with limits.stream(ANNA), pytest.raises(Rejected), limits.stream(ANNA):
        pytest.fail("opened")


async def told_by(call: Any) -> Rejection:
    """What a call that is refused is told."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await (call.read() if hasattr(call, "read") else call)
    return read_error(caught.value)
