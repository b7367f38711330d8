"""How long a connection and a call may last, over real gRPC."""

import asyncio
import time
from collections.abc import AsyncIterator

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Note
from tests.shell.conftest import Opened
from tests.shell.echo import SERVICE, policy

from gammon_shell.errors import read_error
from gammon_shell.identity import SigningKey


async def test_a_stream_is_not_cut_when_its_connection_is_old_but_when_the_grace_is_over(opened: Opened) -> None:
    """Age 1 s and grace 2 s, each give or take a tenth: the stream lives for 2.7 to 3.5 s, calls do not notice."""
    async with opened(connection_age_s=1, connection_grace_s=2) as echo:
        watch = echo.count("sleep", number=1)
        assert (await watch.read()).number == 0
        started = time.monotonic()
        reading = asyncio.create_task(watch.read())
        served = 0
        while not reading.done():
            assert (await echo.say("hello", timeout=5)).name == "hello"
            served += 1
            await asyncio.sleep(0.02)
        lived = time.monotonic() - started
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await reading
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        assert 2.5 < lived < 4.5
        assert served > 50


async def test_an_idle_connection_is_closed_and_made_again_when_it_is_needed(opened: Opened) -> None:
    async with opened(connection_idle_s=0.3) as echo:
        await echo.say("hello")
        assert echo.channel.get_state() is grpc.ChannelConnectivity.READY
        async with asyncio.timeout(5):
            await echo.channel.wait_for_state_change(grpc.ChannelConnectivity.READY)
        assert (await echo.say("hello", timeout=5)).name == "hello"
        # A stream that says nothing is no idle connection.
        watch = echo.count("sleep", number=1)
        assert (await watch.read()).number == 0
        await asyncio.sleep(1.0)
        assert not watch.done()
        watch.cancel()


async def test_an_upload_that_stalls_is_ended(opened: Opened, key: SigningKey) -> None:
    async def stalling() -> AsyncIterator[Note]:
        yield Note(number=1)
        await asyncio.sleep(60)

    async with opened(policy(key, longest_upload_s=0.3)) as echo:
        call = echo.channel.stream_unary(f"/{SERVICE}/Gather", Note.SerializeToString, Note.FromString)
        for timeout in (None, 30):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call(stalling(), metadata=echo.metadata(), timeout=timeout)
            told = read_error(caught.value)
            assert (told.code, told.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED")
            assert told.metadata["longest_s"] == "0.3"
