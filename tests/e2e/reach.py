"""A suite that tests only talk to, wherever it runs: processes of ours, or what the environment names."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import grpc

from gammon_shell.identity import SigningKey, bearer

ISSUER = AUDIENCE = "gammon-ledger"
ROLES = ("rules", "match", "rating")
# GAMMON_E2E_MATCH_TARGET and so on; GAMMON_E2E_KEY names the PEM file of the key that signs tokens.
PREFIX = "GAMMON_E2E_"


class Reachable(Protocol):
    """What a test needs of a suite that it neither starts nor stops."""

    def token(self, subject: str, *roles: str) -> str:
        """A token that the suite believes."""
        ...

    def metadata(self, subject: str, *roles: str) -> tuple[tuple[str, str], ...]:
        """Call metadata with such a token."""
        ...

    def target(self, role: str = "match") -> str:
        """Where a role listens."""
        ...

    def channel(self, role: str = "match") -> grpc.aio.Channel:
        """A channel to a role."""
        ...


@dataclass(frozen=True, slots=True)
class GivenSuite:
    """A suite that somebody else has started, such as compose. `targets`: by role."""

    targets: dict[str, str]
    key: SigningKey

    def token(self, subject: str, *roles: str) -> str:
        """A token of the suite's key."""
        return self.key.token(subject, roles, ISSUER, AUDIENCE)

    def metadata(self, subject: str, *roles: str) -> tuple[tuple[str, str], ...]:
        """Call metadata with such a token."""
        return tuple(bearer(self.token(subject, *roles)))

    def target(self, role: str = "match") -> str:
        """Where a role listens."""
        return self.targets[role]

    def channel(self, role: str = "match") -> grpc.aio.Channel:
        """A channel to a role."""
        return grpc.aio.insecure_channel(self.target(role))


def given_suite() -> GivenSuite | None:
    """The suite that the environment names; None: it names none. Raises KeyError when it names only a part."""
    if not any(name.startswith(PREFIX) for name in os.environ):
        return None
    targets = {role: os.environ[f"{PREFIX}{role.upper()}_TARGET"] for role in ROLES}
    return GivenSuite(targets, SigningKey.of(Path(os.environ[f"{PREFIX}KEY"]).read_bytes()))
