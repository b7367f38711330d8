"""How a role says it is."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from gammon_client.calls import open_channel

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


async def check_health(role: str, target: str, timeout_s: float = 3.0) -> Health:
    """Asks a role for the health of the whole server."""
    started = time.perf_counter()
    async with open_channel(target) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        try:
            answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=timeout_s)
            status = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
        except grpc.aio.AioRpcError:
            status = UNREACHABLE
    return Health(role, target, status, round((time.perf_counter() - started) * 1000, 1))
