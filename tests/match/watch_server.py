"""Watching served over gRPC from this process, so that a test can look at both ends."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import grpc

from gammon.match.v1 import match_service_pb2 as pb
from gammon.match.v1 import match_service_pb2_grpc
from gammon_client.match_client import MatchClient
from gammon_match.app.watching import Watching
from gammon_match.service.not_served_yet import NotServedYet
from gammon_match.service.refusal_table import DOMAIN
from gammon_match.service.roles import ROLES
from gammon_match.service.watching import WatchingCalls
from gammon_shell.identity import JwtPrincipals, SigningKey, bearer
from gammon_shell.interceptors import CallInterceptor
from gammon_shell.policy import Policy
from gammon_shell.verifying_keys import OneKey

ISSUER = AUDIENCE = "watch-server"
# What a client takes before it has read it: 64 KiB, and no more when it seems to be fast.
SMALL_WINDOW = (("grpc.http2.bdp_probe", 0), ("grpc.use_local_subchannel_pool", 1))


class _Service(WatchingCalls, NotServedYet):
    def __init__(self, watching: Watching) -> None:
        self._watching = watching


@dataclass(frozen=True, slots=True)
class WatchServer:
    """A server on a port; the caller closes the channels."""

    port: int
    key: SigningKey

    def channel(self) -> grpc.aio.Channel:
        """A connection of its own, with a small window."""
        return grpc.aio.insecure_channel(f"127.0.0.1:{self.port}", options=SMALL_WINDOW)

    def token(self, subject: str, *roles: str) -> str:
        """A token that the server believes."""
        return self.key.token(subject, roles or ("spectator",), ISSUER, AUDIENCE)

    def client(self, channel: grpc.aio.Channel, subject: str) -> MatchClient:
        """The library's client."""
        return MatchClient(channel, self.token(subject))

    def watch(
        self, channel: grpc.aio.Channel, match_id: str, subject: str, after: int = 0
    ) -> grpc.aio.UnaryStreamCall[pb.WatchMatchRequest, pb.WatchMatchResponse]:
        """A watch as it is on the wire."""
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        request = pb.WatchMatchRequest(match_id=match_id, after_sequence=after)
        return stub.WatchMatch(request, metadata=bearer(self.token(subject)))


@asynccontextmanager
async def serving(watching: Watching) -> AsyncIterator[WatchServer]:
    """Serves until left."""
    key = SigningKey.make()
    policy = Policy(DOMAIN, ROLES, JwtPrincipals(OneKey(key.public_pem), ISSUER, AUDIENCE))
    server = grpc.aio.server(interceptors=[CallInterceptor(policy)], options=[("grpc.so_reuseport", 0)])
    match_service_pb2_grpc.add_MatchServiceServicer_to_server(_Service(watching), server)  # type: ignore[abstract]
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield WatchServer(port, key)
    finally:
        await server.stop(None)
        await watching.close()
