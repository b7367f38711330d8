"""A role's server: starts, says where it listens, tells its health, and stops within two seconds of SIGTERM."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, NoReturn

import grpc
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from gammon_shell.config import RoleConfig
from gammon_shell.errors import RefusedToStart
from gammon_shell.interceptors import CallInterceptor, Policy

LOG = structlog.get_logger("server")
GRACE_S = 1.5
PROBE_EVERY_S = 0.5
PROBE_TIMEOUT_S = 2.0
MOST_MESSAGE_BYTES = 4 * 1024 * 1024
OPTIONS = (
    ("grpc.max_concurrent_streams", 1024),
    ("grpc.max_receive_message_length", MOST_MESSAGE_BYTES),
    ("grpc.so_reuseport", 0),
)

Probe = Callable[[], Awaitable[bool]]


async def serve(
    role: str,
    config: RoleConfig,
    policy: Policy,
    add_services: Callable[[grpc.aio.Server], None],
    probes: Mapping[str, Probe],
) -> None:
    """Serves until SIGTERM or SIGINT. `probes`: by service name, whether what it needs is there."""
    config.check_address()
    server = grpc.aio.server(interceptors=[CallInterceptor(policy)], options=OPTIONS)
    add_services(server)
    servicer = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    if config.reflection:
        from grpc_reflection.v1alpha import reflection

        reflection.enable_server_reflection((*probes, reflection.SERVICE_NAME), server)
    port = _bind(server, config)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await server.start()
    watch = loop.create_task(_watch_health(servicer, probes))
    print(json.dumps({"role": role, "port": port}), flush=True)
    LOG.info("serving", host=config.host, port=port)
    await stop.wait()
    watch.cancel()
    await servicer.enter_graceful_shutdown()
    await server.stop(GRACE_S)
    LOG.info("stopped")


def _bind(server: grpc.aio.Server, config: RoleConfig) -> int:
    address = f"{config.host}:{config.port}"
    try:
        if config.tls_certificate is not None and config.tls_key is not None:
            pair = (config.tls_key.read_bytes(), config.tls_certificate.read_bytes())
            return server.add_secure_port(address, grpc.ssl_server_credentials([pair]))
        return server.add_insecure_port(address)
    except (RuntimeError, OSError) as error:
        raise RefusedToStart(f"cannot listen on {address}: {error}") from None


async def _watch_health(servicer: health.aio.HealthServicer, probes: Mapping[str, Probe]) -> None:
    status = health_pb2.HealthCheckResponse
    while True:
        everything = True
        for name, probe in probes.items():
            try:
                async with asyncio.timeout(PROBE_TIMEOUT_S):
                    well = await probe()
            except Exception as error:
                LOG.debug("probe failed", service=name, error=repr(error))
                well = False
            everything = everything and well
            await servicer.set(name, status.SERVING if well else status.NOT_SERVING)
        await servicer.set("", status.SERVING if everything else status.NOT_SERVING)
        await asyncio.sleep(PROBE_EVERY_S)


def run(main: Coroutine[Any, Any, None]) -> NoReturn:
    """Runs a role and exits: 0 when it was stopped, 2 with a sentence when it refuses to start."""
    try:
        _run(main)
    except RefusedToStart as refusal:
        print(f"refused to start: {refusal}", file=sys.stderr)
        sys.exit(2)
    sys.exit(0)


def _run(main: Coroutine[Any, Any, None]) -> None:
    try:
        import uvloop
    except ImportError:  # pragma: no cover - not on Windows
        asyncio.run(main)
    else:
        uvloop.run(main)
