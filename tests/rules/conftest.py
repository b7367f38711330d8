"""A rules service in this process, and questions to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest

from gammon.rules.v1 import rules_service_pb2 as pb
from gammon.rules.v1 import rules_service_pb2_grpc, settings_pb2
from gammon_rules.__main__ import RulesConfig
from gammon_rules.app.rulings import Rulings
from gammon_rules.service.refusal_table import DOMAIN
from gammon_rules.service.roles import ROLES
from gammon_rules.service.servicer import RulesService
from gammon_shell.errors import Rejection, read_error
from gammon_shell.identity import JwtPrincipals, SigningKey, bearer
from gammon_shell.policy import Policy
from gammon_shell.server import RoleServer
from gammon_shell.verifying_keys import OneKey

ISSUER = AUDIENCE = "tests"
START = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5"
Metadata = tuple[tuple[str, str], ...]


class Law:
    """A client of the service, with the rights of a service unless it is told otherwise."""

    def __init__(self, channel: grpc.aio.Channel, key: SigningKey) -> None:
        self.stub = rules_service_pb2_grpc.RulesServiceStub(channel)
        self._key = key
        self.asks = self.metadata("service")

    def metadata(self, *roles: str) -> Metadata:
        """Call metadata of somebody with these roles."""
        return tuple(bearer(self._key.token("tester", roles, ISSUER, AUDIENCE)))

    async def begin(self, settings: settings_pb2.Settings) -> pb.Ruling:
        """Where a match starts."""
        return (await self.stub.Begin(pb.BeginRequest(settings=settings), metadata=self.asks)).ruling

    @asynccontextmanager
    async def stream(self) -> AsyncIterator["Stream"]:
        """A stream for rulings."""
        call = self.stub.RuleStream(metadata=self.asks)
        try:
            yield Stream(call)
        finally:
            call.cancel()


class Stream:
    """One stream, one question in flight."""

    def __init__(self, call: Any) -> None:
        self._call = call

    async def ask(self, question: pb.Question) -> pb.RuleStreamResponse:
        """The answer to a question."""
        await self._call.write(pb.RuleStreamRequest(question=question))
        answer = await self._call.read()
        assert isinstance(answer, pb.RuleStreamResponse)
        return answer

    async def ruled(self, question: pb.Question) -> pb.Ruling:
        """The ruling on a legal action."""
        answer = await self.ask(question)
        assert answer.WhichOneof("answer") == "ruling", answer
        return answer.ruling


@pytest.fixture
async def law() -> AsyncIterator[Law]:
    """The service over real gRPC."""
    key = SigningKey.make()
    policy = Policy(DOMAIN, ROLES, JwtPrincipals(OneKey(key.public_pem), ISSUER, AUDIENCE))

    def add_services(server: grpc.aio.Server) -> None:
        rules_service_pb2_grpc.add_RulesServiceServicer_to_server(RulesService(Rulings()), server)

    server = await RoleServer.start(RulesConfig(), policy, add_services, {})
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            yield Law(channel, key)
    finally:
        await server.stop(0)


async def refusal(call: Any) -> Rejection:
    """What a call that is refused says."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call
    return read_error(refused.value)
