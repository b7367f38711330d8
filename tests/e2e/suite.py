"""All services as real processes on a real store, each of which can be killed and started again in its place."""

import asyncio
import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from tests.e2e.reach import AUDIENCE, ISSUER

from gammon_shell.identity import SigningKey, bearer, write_secret

STARTS_WITHIN_S = 60.0
PORTS = range(15_000, 32_000)


def free_port() -> int:
    """A port that nobody listens on now, below those that outgoing connections are given meanwhile."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Suite:
    """The processes of one store. `redis_url` None: an embedded Valkey in the directory, which can be killed too.

    `hands_on`: other match services on the store are told where this one is. `key`: who signs tokens; None: its own.
    """

    def __init__(
        self,
        directory: Path,
        redis_url: str | None = None,
        appendfsync: str = "always",
        *,
        hands_on: bool = False,
        key: SigningKey | None = None,
    ) -> None:
        self.directory = directory
        self.key = key or SigningKey.make()
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.ports = {role: free_port() for role in ("store", "rules", "match", "rating")}
        self.redis_url = redis_url or f"redis://127.0.0.1:{self.ports['store']}/0"
        self._embedded = redis_url is None
        self._appendfsync = appendfsync
        self._hands_on = hands_on
        self._log: IO[bytes] = (directory / "log").open("ab")
        (directory / "public.pem").write_bytes(self.key.public_pem)
        write_secret(directory / "service.token", self.token("match-service", "service").encode())

    def token(self, subject: str, *roles: str) -> str:
        """A token of the suite's own key."""
        return self.key.token(subject, roles, ISSUER, AUDIENCE)

    def metadata(self, subject: str, *roles: str) -> tuple[tuple[str, str], ...]:
        """Call metadata with such a token."""
        return tuple(bearer(self.token(subject, *roles)))

    @property
    def roles(self) -> tuple[str, ...]:
        """The processes, in the order they start."""
        return ("store", "rules", "match", "rating") if self._embedded else ("rules", "match", "rating")

    def start(self) -> "Suite":
        """Starts everything."""
        for role in self.roles:
            self.start_role(role)
        return self

    def start_role(self, role: str) -> None:
        """Starts one process and waits until it says that it is ready."""
        process = subprocess.Popen(
            self._command(role),
            env=self._environment(role),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        self.processes[role] = process
        assert process.stdout is not None
        line = process.stdout.readline()
        process.stdout.close()
        assert line, f"{role} did not start:\n{self.log()}"
        told = json.loads(line)
        assert told["port"] == self.ports[role]
        if role == "store":
            self.store_pid = int(told["pid"])

    def kill(self, role: str) -> None:
        """kill -9; of the store the server itself."""
        process = self.processes.pop(role)
        os.kill(self.store_pid if role == "store" else process.pid, signal.SIGKILL)
        process.wait(10)

    def restart(self, role: str) -> None:
        """kill -9 and start again on the same port."""
        self.kill(role)
        self.start_role(role)

    def stop(self) -> None:
        """Ends what still runs."""
        for process in reversed(self.processes.values()):
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes.clear()
        self._log.close()

    def log(self) -> str:
        """The last log lines of all."""
        return (self.directory / "log").read_text()[-4000:]

    def channel(self, role: str = "match") -> grpc.aio.Channel:
        """A channel to a role."""
        return grpc.aio.insecure_channel(self.target(role))

    def target(self, role: str = "match") -> str:
        """Where a role listens."""
        return f"127.0.0.1:{self.ports[role]}"

    async def healthy(self, role: str = "match") -> None:
        """Waits until a role is healthy."""
        async with asyncio.timeout(STARTS_WITHIN_S):
            while not await self.is_healthy(role):
                await asyncio.sleep(0.05)

    async def is_healthy(self, role: str) -> bool:
        """Whether a role says that it has all it needs."""
        async with self.channel(role) as channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            try:
                answer = await stub.Check(health_pb2.HealthCheckRequest(), wait_for_ready=True, timeout=2)
            except grpc.aio.AioRpcError:
                return False
            return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

    def _command(self, role: str) -> list[str]:
        if role == "store":
            return [
                sys.executable,
                "-m",
                "gammon_shell.embedded_store",
                *("--data", str(self.directory / "store")),
                *("--port", str(self.ports["store"])),
                *("--appendfsync", self._appendfsync),
            ]
        return [sys.executable, "-m", f"gammon_{role}"]

    def _environment(self, role: str) -> dict[str, str]:
        mine = {name: value for name, value in os.environ.items() if not name.startswith("GAMMON_")}
        return mine | {
            "GAMMON_PORT": str(self.ports[role]),
            "GAMMON_AUTH_PUBLIC_KEY": str(self.directory / "public.pem"),
            "GAMMON_SERVICE_TOKEN_FILE": str(self.directory / "service.token"),
            "GAMMON_REDIS_URL": self.redis_url,
            "GAMMON_RULES_TARGET": self.target("rules"),
            "GAMMON_MATCH_TARGET": self.target("match"),
            "GAMMON_MATCH_ADDRESS": self.target("match") if self._hands_on else "",
            "GAMMON_DURABILITY": "fsynced" if self._appendfsync == "always" else "accepted",
        }
