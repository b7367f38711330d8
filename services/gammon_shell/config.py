"""What every role is told by its environment: where to listen, whom to believe, what to log."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from gammon_shell.errors import RefusedToStart
from gammon_shell.rate_limits import TRUSTED, USUAL

C = TypeVar("C", bound="RoleConfig")
PREFIX = "GAMMON_"
Seconds: TypeAlias = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Rate: TypeAlias = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Count: TypeAlias = Annotated[int, Field(gt=0)]


class RoleConfig(BaseSettings):
    """The part that all roles share. Variables start with GAMMON_; an empty one counts as not set.

    `port`: 0 takes any free one. `longest_call_s`: the deadline of a call that brings none, or a later one;
    `longest_upload_s`: the same for a call that streams its request. `trusted_…`: for operators and services.
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
    auth_jwks_url: str | None = None
    auth_jwks_refresh_s: Seconds = 300.0
    auth_issuer: str = "gammon-ledger"
    auth_audience: str = "gammon-ledger"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["auto", "json", "text"] = "auto"
    reflection: bool = False
    longest_call_s: Seconds = 30.0
    longest_upload_s: Seconds = 300.0
    most_message_bytes: Count = 256 * 1024
    most_streams: Count = 1024
    connection_idle_s: Seconds = 900.0
    connection_age_s: Seconds = 3600.0
    connection_grace_s: Seconds = 3600.0
    calls_per_s: Rate = USUAL.calls_per_s
    calls_burst: Count = USUAL.burst
    streams_per_caller: Count = USUAL.streams
    trusted_calls_per_s: Rate = TRUSTED.calls_per_s
    trusted_calls_burst: Count = TRUSTED.burst
    trusted_streams_per_caller: Count = TRUSTED.streams

    def public_key(self) -> bytes:
        """The key that tokens are verified with. Raises RefusedToStart: there is no default."""
        if self.auth_public_key is None:
            raise RefusedToStart(
                "GAMMON_AUTH_PUBLIC_KEY is not set: name a PEM file with the key that tokens are verified with, or "
                "an address of keys with GAMMON_AUTH_JWKS_URL"
            )
        return _read("auth_public_key", self.auth_public_key)

    def jwks_url(self) -> str | None:
        """The address of the keys that tokens are verified with; None: there is none.

        Raises RefusedToStart when anybody on the way could give other keys.
        """
        if self.auth_jwks_url is None:
            return None
        try:
            url = urlsplit(self.auth_jwks_url)
            host = url.hostname or ""
        except ValueError:
            raise RefusedToStart("GAMMON_AUTH_JWKS_URL is no address") from None
        if not host or not (url.scheme == "https" or (url.scheme == "http" and is_loopback(host))):
            raise RefusedToStart("GAMMON_AUTH_JWKS_URL is not https://…, and http is for loopback only")
        if url.username is not None:
            raise RefusedToStart("GAMMON_AUTH_JWKS_URL has a user in it: public keys need none")
        return self.auth_jwks_url

    def tls(self) -> tuple[Path, Path] | None:
        """The files of certificate chain and private key; None: no TLS. Raises RefusedToStart when one is missing."""
        if self.tls_certificate is None and self.tls_key is None:
            return None
        if self.tls_certificate is None or self.tls_key is None:
            raise RefusedToStart("GAMMON_TLS_CERTIFICATE and GAMMON_TLS_KEY go together: one of them is not set")
        return self.tls_certificate, self.tls_key

    def check_address(self) -> None:
        """Refuses an address that others can reach without TLS, unless plaintext is asked for by name."""
        if not is_loopback(self.host) and self.tls() is None and not self.plaintext:
            raise RefusedToStart(
                f"GAMMON_HOST is {self.host}: set GAMMON_TLS_CERTIFICATE and GAMMON_TLS_KEY, or GAMMON_PLAINTEXT=1"
            )


class CallerConfig(RoleConfig):
    """What a role is told besides that calls other services. `tls_ca`: the authority whose certificates they show."""

    service_token_file: Path
    tls_ca: Path | None = None

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


def is_loopback(host: str) -> bool:
    """Whether an address or name is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
