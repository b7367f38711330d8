"""What a role's calls must obey, and how a role's configuration says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gammon_shell.config import RoleConfig
from gammon_shell.errors import RefusedToStart
from gammon_shell.identity import JwtPrincipals, PrincipalSource
from gammon_shell.jwks import JwksKeys
from gammon_shell.rate_limits import Allowance, RateLimits
from gammon_shell.roles import RoleTable
from gammon_shell.verifying_keys import KeySource, OneKey


@dataclass(frozen=True, slots=True)
class Policy:
    """What a service's calls must obey: its error domain, who may call what, who says who calls, and how much of it.

    `logged`: request fields that a call's log line shows. `longest_s`: the deadline of a call that brings none.
    `longest_upload_s`: the same for a call that streams its request.
    """

    domain: str
    roles: RoleTable
    principals: PrincipalSource
    logged: Sequence[str] = ()
    longest_s: float = 30.0
    longest_upload_s: float = 300.0
    limits: RateLimits = field(default_factory=RateLimits)


def policy_of(config: RoleConfig, domain: str, roles: RoleTable, logged: Sequence[str] = ()) -> Policy:
    """The policy of a role with this configuration. Raises RefusedToStart."""
    usual = Allowance(config.calls_per_s, config.calls_burst, config.streams_per_caller)
    trusted = Allowance(config.trusted_calls_per_s, config.trusted_calls_burst, config.trusted_streams_per_caller)
    return Policy(
        domain,
        roles,
        JwtPrincipals(key_source(config), config.auth_issuer, config.auth_audience),
        logged,
        config.longest_call_s,
        config.longest_upload_s,
        RateLimits(usual, trusted),
    )


def key_source(config: RoleConfig) -> KeySource:
    """What tokens are verified with: the key of a file or those of an address, never both. Raises RefusedToStart."""
    url = config.jwks_url()
    if url is None:
        return OneKey(config.public_key())
    if config.auth_public_key is not None:
        raise RefusedToStart("GAMMON_AUTH_PUBLIC_KEY and GAMMON_AUTH_JWKS_URL are both set: name one of them")
    return JwksKeys(url, config.auth_jwks_refresh_s)
