"""What every role is told by its environment: where to listen, whom to believe, what to log."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from gammon_shell.errors import RefusedToStart

C = TypeVar("C", bound="RoleConfig")
PREFIX = "GAMMON_"


class RoleConfig(BaseSettings):
    """The part that all roles share. Variables start with GAMMON_; an empty one counts as not set.

    `port`: 0 takes any free one. `longest_call_s`: the deadline of a call that brings none, or a later one.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="ignore", hide_input_in_errors=True
    )

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 0
    plaintext: bool = False
    tls_certificate: Path | None = None
    tls_key: Path | None = None
    auth_public_key: Path | None = None
    auth_issuer: str = "gammon-ledger"
    auth_audience: str = "gammon-ledger"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["auto", "json", "text"] = "auto"
    reflection: bool = False
    longest_call_s: Annotated[float, Field(gt=0)] = 30.0
    most_message_bytes: Annotated[int, Field(gt=0)] = 4 * 1024 * 1024
    most_streams: Annotated[int, Field(gt=0)] = 1024

    def public_key(self) -> bytes:
        """The key that tokens are verified with. Raises RefusedToStart: there is no default."""
        if self.auth_public_key is None:
            raise RefusedToStart(
                "GAMMON_AUTH_PUBLIC_KEY is not set: name a PEM file with the key that tokens are verified with"
            )
        return _read("auth_public_key", self.auth_public_key)

    def tls(self) -> tuple[bytes, bytes] | None:
        """Private key and certificate chain in PEM; None: no TLS. Raises RefusedToStart when one is missing."""
        if self.tls_certificate is None and self.tls_key is None:
            return None
        if self.tls_certificate is None or self.tls_key is None:
            raise RefusedToStart("GAMMON_TLS_CERTIFICATE and GAMMON_TLS_KEY go together: one of them is not set")
        return _read("tls_key", self.tls_key), _read("tls_certificate", self.tls_certificate)

    def check_address(self) -> None:
        """Refuses an address that others can reach without TLS, unless plaintext is asked for by name."""
        if not _is_loopback(self.host) and self.tls() is None and not self.plaintext:
            raise RefusedToStart(
                f"GAMMON_HOST is {self.host}: set GAMMON_TLS_CERTIFICATE and GAMMON_TLS_KEY, or GAMMON_PLAINTEXT=1"
            )


class CallerConfig(RoleConfig):
    """What a role is told besides that calls other services."""

    service_token_file: Path

    def service_token(self) -> str:
        """The token that this role shows to others; read anew, so that it can be renewed. Raises RefusedToStart."""
        try:
            return self.service_token_file.read_text().strip()
        except OSError as error:
            raise RefusedToStart(f"GAMMON_SERVICE_TOKEN_FILE: {error.strerror}: {self.service_token_file}") from None


def read_config(kind: type[C]) -> C:
    """The configuration of a role from the environment. Raises RefusedToStart naming every faulty variable."""
    try:
        return kind()
    except ValidationError as error:
        raise RefusedToStart("; ".join(_told(dict(fault)) for fault in error.errors())) from None


def _told(fault: dict[str, Any]) -> str:
    # Text values are left out: a URL may hold a password. Of a missing variable pydantic would give all others.
    variable = PREFIX + "_".join(map(str, fault["loc"])).upper()
    return f"{variable} is not set" if fault["type"] == "missing" else f"{variable}: {fault['msg']}"


def _read(name: str, path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RefusedToStart(f"{PREFIX}{name.upper()}: {error.strerror}: {path}") from None


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
