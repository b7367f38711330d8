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

from gammon_shell.children import die_with_parent
from gammon_shell.config import RoleConfig
from gammon_shell.errors import RefusedToStart
from gammon_shell.interceptors import CallInterceptor
from gammon_shell.policy import Policy
from gammon_shell.tls import CertificateFiles

LOG = structlog.get_logger("server")
GRACE_S = 1.0
PROBE_EVERY_S = 0.5
PROBE_TIMEOUT_S = 2.0
REFUSED_EXIT = 2
INTERRUPTED_EXIT = 130

OPTIONS = (
    # Between the first and the second gRPC would draw lots.
    ("grpc.max_metadata_size", 16 * 1024),
    ("grpc.absolute_max_metadata_size", 16 * 1024),
    # How dead connections are noticed.
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    # The one that grpcio 1.85 goes by: without it a dead connection is given a minute more.
    ("grpc.http2.ping_timeout_ms", 20_000),
    # Clients may look whether a connection on which nothing happens still lives.
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    # Without this a second server would share the port of the first in silence.
    ("grpc.so_reuseport", 0),
)

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING

Probe = Callable[[], Awaitable[bool]]


async def serve(
    role: str,
    config: RoleConfig,
    policy: Policy,
    add_services: Callable[[grpc.aio.Server], None],
    probes: Mapping[str, Probe],
) -> None:
    """Serves until SIGTERM or SIGINT. `probes`: by service name, whether what it needs is there.

    Writes one line to standard output when it listens: `{"role": …, "port": …}`. Raises RefusedToStart.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    server = await RoleServer.start(config, policy, add_services, probes)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    print(json.dumps({"role": role, "port": server.port}), flush=True)
    LOG.info("serving", host=config.host, port=server.port)
    await stop.wait()
    await server.stop()
    LOG.info("stopped")


class RoleServer:
    """A server that is running, with its health told by grpc.health.v1 under each probe's name and under ""."""

    def __init__(self, server: grpc.aio.Server, policy: Policy, port: int, probes: Mapping[str, Probe]) -> None:
        """Use `start`."""
        self.port = port
        self._server, self._policy = server, policy
        self._probes = probes
        self._health = health.aio.HealthServicer()
        self._told: dict[str, bool] = {}
        self._watch: asyncio.Task[None] | None = None

    @staticmethod
    async def start(
        config: RoleConfig,
        policy: Policy,
        add_services: Callable[[grpc.aio.Server], None],
        probes: Mapping[str, Probe],
    ) -> RoleServer:
        """Listens and serves; health is NOT_SERVING until the probes say otherwise. Raises RefusedToStart."""
        config.check_address()
        await policy.principals.start()
        server = grpc.aio.server(interceptors=[CallInterceptor(policy)], options=(*OPTIONS, *_limits(config)))
        add_services(server)
        running = RoleServer(server, policy, _bind(server, config), probes)
        health_pb2_grpc.add_HealthServicer_to_server(running._health, server)
        if config.reflection:
            from grpc_reflection.v1alpha import reflection

            reflection.enable_server_reflection((*probes, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
        for name in (*probes, ""):
            await running._health.set(name, NOT_SERVING)
        await server.start()
        running._watch = asyncio.create_task(running._watch_health())
        return running

    async def stop(self, grace_s: float = GRACE_S) -> None:
        """Says NOT_SERVING, takes no more calls, lets those in progress end within the grace, cancels the rest."""
        if self._watch is not None:
            self._watch.cancel()
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace_s)
        await self._policy.principals.stop()

    async def _watch_health(self) -> None:
        while True:
            verdicts = await asyncio.gather(*(self._well(name, probe) for name, probe in self._probes.items()))
            for name, well in zip(self._probes, verdicts, strict=True):
                if self._told.get(name) != well:
                    self._told[name] = well
                    (LOG.info if well else LOG.warning)("health", service=name, serving=well)
                await self._health.set(name, SERVING if well else NOT_SERVING)
            await self._health.set("", SERVING if all(verdicts) else NOT_SERVING)
            await asyncio.sleep(PROBE_EVERY_S)

    async def _well(self, name: str, probe: Probe) -> bool:
        try:
            async with asyncio.timeout(PROBE_TIMEOUT_S):
                return await probe()
        except Exception as error:
            if self._told.get(name) is not False:
                LOG.warning("probe failed", service=name, error=repr(error))
            return False


def _limits(config: RoleConfig) -> tuple[tuple[str, int], ...]:
    """Sizes; and how long connections live, so that keys, certificates and tokens turn over."""
    return (
        ("grpc.max_concurrent_streams", config.most_streams),
        ("grpc.max_receive_message_length", config.most_message_bytes),
        ("grpc.max_connection_idle_ms", round(config.connection_idle_s * 1000)),
        ("grpc.max_connection_age_ms", round(config.connection_age_s * 1000)),
        ("grpc.max_connection_age_grace_ms", round(config.connection_grace_s * 1000)),
    )


def _bind(server: grpc.aio.Server, config: RoleConfig) -> int:
    address = f"[{config.host}]:{config.port}" if ":" in config.host else f"{config.host}:{config.port}"
    tls = config.tls()
    try:
        if tls is not None:
            return server.add_secure_port(address, CertificateFiles(*tls).credentials())
        return server.add_insecure_port(address)
    except RuntimeError as error:
        raise RefusedToStart(f"cannot listen on {address}: {error}") from None


def run(main: Coroutine[Any, Any, None]) -> NoReturn:
    """Runs a role and exits: 0 when it was stopped, 2 with a sentence when it refuses to start.

    A role that was started through `Children` ends with its parent, however the parent ends.
    """
    die_with_parent()
    try:
        _run(main)
    except RefusedToStart as refusal:
        print(f"refused to start: {refusal}", file=sys.stderr)
        sys.exit(REFUSED_EXIT)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED_EXIT)
    sys.exit(0)


def _run(main: Coroutine[Any, Any, None]) -> None:
    try:
        import uvloop
    except ImportError:  # there is none on Windows
        asyncio.run(main)
    else:
        uvloop.run(main)
