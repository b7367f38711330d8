"""How a role calls another service."""

from __future__ import annotations

from grpc import aio

from gammon_shell.config import CallerConfig, is_loopback
from gammon_shell.errors import RefusedToStart
from gammon_shell.tls import authority_credentials

# Whoever calls owns its retries, so the library's are off. A service that restarts is found again within a second, and
# a connection that died in silence, under a watch that waits, is noticed within half a minute.
CHANNEL_OPTIONS = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # The one that grpcio 1.85 goes by: without it a dead connection is given a minute more.
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.enable_retries", 0),
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 500),
    ("grpc.use_local_subchannel_pool", 1),
)


def open_channel(config: CallerConfig, variable: str, target: str) -> aio.Channel:
    """A channel to `host:port`, which `variable` named: with TLS when an authority is named. The caller closes it.

    Raises RefusedToStart when the service's token would leave this machine in plaintext and nobody asked for that.
    """
    if config.tls_ca is not None:
        return aio.secure_channel(target, authority_credentials(config.tls_ca), options=CHANNEL_OPTIONS)
    host = target.rpartition(":")[0].strip("[]")
    if not is_loopback(host) and not config.plaintext:
        raise RefusedToStart(f"{variable} is {target}: set GAMMON_TLS_CA, or GAMMON_PLAINTEXT=1")
    return aio.insecure_channel(target, options=CHANNEL_OPTIONS)
