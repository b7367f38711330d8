"""How a role calls another service."""

from __future__ import annotations

from grpc import aio

from gammon_shell.config import CallerConfig, is_loopback
from gammon_shell.errors import RefusedToStart
from gammon_shell.tls import authority_credentials


def open_channel(config: CallerConfig, variable: str, target: str) -> aio.Channel:
    """A channel to `host:port`, which `variable` named: with TLS when an authority is named. The caller closes it.

    Raises RefusedToStart when the service's token would leave this machine in plaintext and nobody asked for that.
    """
    if config.tls_ca is not None:
        return aio.secure_channel(target, authority_credentials(config.tls_ca))
    host = target.rpartition(":")[0].strip("[]")
    if not is_loopback(host) and not config.plaintext:
        raise RefusedToStart(f"{variable} is {target}: set GAMMON_TLS_CA, or GAMMON_PLAINTEXT=1")
    return aio.insecure_channel(target)
