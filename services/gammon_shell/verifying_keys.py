"""What tokens are verified with: keys that each have one algorithm, and where they come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from gammon_shell.errors import RefusedToStart

LEAST_RSA_BITS = 2048


@dataclass(frozen=True, slots=True)
class VerifyingKey:
    """A public key and the one algorithm of the tokens that it verifies: EdDSA or RS256."""

    key: Ed25519PublicKey | RSAPublicKey
    algorithm: str

    @staticmethod
    def of(key: object) -> VerifyingKey | None:
        """The key with its algorithm; None: it is neither Ed25519 nor RSA of 2048 bits and more, or not public."""
        match key:
            case Ed25519PublicKey():
                return VerifyingKey(key, "EdDSA")
            case RSAPublicKey() if key.key_size >= LEAST_RSA_BITS:
                return VerifyingKey(key, "RS256")
            case _:
                return None


class KeySource(Protocol):
    """Where keys come from."""

    @property
    def version(self) -> int:
        """Another number when a key that was given may not be good any more."""
        ...

    def key(self, kid: str | None) -> VerifyingKey | None:
        """The key that a token with this key id is verified with; None: there is none."""
        ...

    async def start(self) -> None:
        """Gets the keys. Raises RefusedToStart."""
        ...

    async def renew(self) -> bool:
        """Gets the keys anew because a token names one that is not here; False: that was done just now."""
        ...

    async def stop(self) -> None:
        """Ends what runs in the background."""
        ...


class OneKey:
    """The key of a file. It verifies every token, whatever key id that names."""

    version = 0

    def __init__(self, pem: bytes) -> None:
        """`pem`: a public key, Ed25519 or RSA of 2048 bits and more; else RefusedToStart."""
        try:
            key = serialization.load_pem_public_key(pem)
        except ValueError:
            # The reason may quote the file, and the file may be a private key by mistake.
            raise RefusedToStart("the key that tokens are verified with is no public key in PEM") from None
        found = VerifyingKey.of(key)
        if found is None:
            raise RefusedToStart(
                "the key that tokens are verified with is neither Ed25519 nor RSA of at least 2048 bits"
            )
        self._key = found

    def key(self, _kid: str | None) -> VerifyingKey | None:
        """The key."""
        return self._key

    async def start(self) -> None:
        """Nothing to get."""

    async def renew(self) -> bool:
        """Nothing to get."""
        return False

    async def stop(self) -> None:
        """Nothing to end."""
