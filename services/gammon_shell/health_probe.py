"""Asks a role how it is, for the health checks of containers.

`python -m gammon_shell.health_probe [--target HOST:PORT] [--ca FILE [--name HOST]]`: exit 0 when it is SERVING, which
includes all that it needs; else 1 and one line that says what it is instead.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

WITHIN_S = 2.0
NO_PROXY = ("grpc.enable_http_proxy", 0)


def status(channel: grpc.Channel) -> str:
    """The status of the whole server in grpc.health.v1, or the code that the call failed with."""
    stub: Any = health_pb2_grpc.HealthStub(channel)
    try:
        answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=WITHIN_S)
    except grpc.RpcError as error:
        return str(error.code().name) if isinstance(error, grpc.Call) else repr(error)
    return str(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))


def open_channel(target: str, ca: Path | None, name: str | None) -> grpc.Channel:
    """A channel to a role; `ca`: PEM file of the authority, for TLS; `name`: whom the certificate is for.

    Raises OSError when the file cannot be read.
    """
    if ca is None:
        return grpc.insecure_channel(target, options=(NO_PROXY,))
    options = (NO_PROXY,) if name is None else (NO_PROXY, ("grpc.ssl_target_name_override", name))
    return grpc.secure_channel(target, grpc.ssl_channel_credentials(ca.read_bytes()), options=options)


def main(arguments: Sequence[str] | None = None) -> int:
    """Asks once. 0: it is serving. 1: it is not."""
    parser = argparse.ArgumentParser(prog="health_probe", description="Asks a role how it is.")
    parser.add_argument("--target", default=f"127.0.0.1:{os.environ.get('GAMMON_PORT', '')}", help="HOST:PORT")
    parser.add_argument("--ca", type=Path, help="PEM file of the authority, when the role has TLS")
    parser.add_argument("--name", help="the host that the certificate is for, if not that of the target")
    given = parser.parse_args(arguments)
    with open_channel(given.target, given.ca, given.name) as channel:
        found = status(channel)
    if found != "SERVING":
        print(f"{given.target}: {found}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
