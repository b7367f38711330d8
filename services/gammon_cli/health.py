"""How a role says it is."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from gammon_cli.endpoints import Endpoints

SERVING = "SERVING"
UNREACHABLE = "UNREACHABLE"


@dataclass(frozen=True, slots=True)
class Health:
    """`status`: a status of grpc.health.v1, or UNREACHABLE. `ms`: how long the answer took."""

    role: str
    target: str
    status: str
    ms: float

    @property
    def well(self) -> bool:
        """Whether the role and all it needs are there."""
        return self.status == SERVING


async def check_health(role: str, endpoints: Endpoints, timeout_s: float = 3.0) -> Health:
    """Asks one of ROLES for the health of its whole server. Raises RefusedToStart when the authority's file is none."""
    started = time.perf_counter()
    async with endpoints.channel(role) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        try:
            answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=timeout_s)
            status = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
        except grpc.aio.AioRpcError:
            status = UNREACHABLE
    return Health(role, endpoints.target(role), status, round((time.perf_counter() - started) * 1000, 1))
