"""Who calls: principals from JWTs, with one algorithm for each key and no default secret (design 11)."""

from __future__ import annotations

import os
import re
import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from gammon_shell.errors import RefusedToStart
from gammon_shell.verifying_keys import KeySource

SKEW_S = 60
MOST_CACHED = 10_000
BEARER = "bearer "
REFERENCE = re.compile(r"[A-Za-z0-9_.:@-]{1,64}")

# What may be told of a token that does not verify; the library's own texts may quote the token.
FAULTS: tuple[tuple[type[Exception], str], ...] = (
    (jwt.ExpiredSignatureError, "the token has expired"),
    (jwt.ImmatureSignatureError, "the token is not valid yet"),
    (jwt.InvalidIssuerError, "the token is from another issuer"),
    (jwt.InvalidAudienceError, "the token is for another audience"),
    (jwt.InvalidAlgorithmError, "the token's algorithm is not the key's"),
    (jwt.MissingRequiredClaimError, "the token lacks one of exp, iss, aud, sub"),
    (jwt.exceptions.InvalidSubjectError, "the token's subject is no text"),
    (jwt.InvalidSignatureError, "the token's signature does not verify"),
)


@dataclass(frozen=True, slots=True)
class Principal:
    """A caller: an opaque reference of at most 64 characters, and the roles it has."""

    subject: str
    roles: frozenset[str]


@dataclass(frozen=True, slots=True)
class IdentityFault:
    """Why credentials are not valid; safe to tell. `is_key_unknown`: keys that are got anew may change it."""

    fault: str
    is_key_unknown: bool = False


class PrincipalSource(Protocol):
    """Where principals come from."""

    def principal(self, authorization: str | None) -> Principal | IdentityFault:
        """Who sends this authorization metadata (None: there is none)."""
        ...

    async def start(self) -> None:
        """Gets the keys that are needed. Raises RefusedToStart."""
        ...

    async def renew(self) -> bool:
        """Gets them anew; False: that changes nothing now."""
        ...

    async def stop(self) -> None:
        """Ends what runs in the background."""
        ...


class JwtPrincipals:
    """Principals of signed tokens. A token that was verified is remembered until it expires."""

    def __init__(self, keys: KeySource, issuer: str, audience: str) -> None:
        """`keys`: what the tokens are verified with. `issuer`, `audience`: what their `iss` and `aud` must be."""
        self._keys, self._issuer, self._audience = keys, issuer, audience
        self._known: OrderedDict[str, tuple[Principal, float]] = OrderedDict()
        self._known_with = keys.version

    async def start(self) -> None:
        """Gets the keys. Raises RefusedToStart."""
        await self._keys.start()

    async def renew(self) -> bool:
        """Gets the keys anew; False: that changes nothing now."""
        return await self._keys.renew()

    async def stop(self) -> None:
        """Ends what runs in the background."""
        await self._keys.stop()

    def principal(self, authorization: str | None) -> Principal | IdentityFault:
        """Who sends this authorization metadata."""
        if authorization is None:
            return IdentityFault("there is no authorization metadata")
        if self._known_with != self._keys.version:
            # A token is good no longer than its key.
            self._known.clear()
            self._known_with = self._keys.version
        known = self._known.get(authorization)
        if known is not None and time.time() < known[1]:
            return known[0]
        if authorization[: len(BEARER)].lower() != BEARER:
            return IdentityFault("the authorization is no bearer token")
        return self._verify(authorization)

    def _verify(self, authorization: str) -> Principal | IdentityFault:
        token = authorization[len(BEARER) :]
        try:
            kid = jwt.get_unverified_header(token).get("kid")
            key = self._keys.key(kid)
            if key is None:
                return IdentityFault("the token's key is not known", is_key_unknown=kid is not None)
            claims = jwt.decode(
                token,
                key.key,
                algorithms=[key.algorithm],
                issuer=self._issuer,
                audience=self._audience,
                leeway=SKEW_S,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
            expires = float(claims["exp"])
        # Garbage also surfaces as the errors of the decoders below the library.
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError) as error:
            told = (text for kind, text in FAULTS if isinstance(error, kind))
            return IdentityFault(next(told, "the token is malformed"))
        subject, roles = claims["sub"], claims.get("roles", [])
        if REFERENCE.fullmatch(subject) is None:
            return IdentityFault("the token's subject is not 1 to 64 of A-Z a-z 0-9 _ . : @ -")
        if not isinstance(roles, list) or not all(isinstance(role, str) for role in roles):
            return IdentityFault("the token's roles are no list of names")
        principal = Principal(subject, frozenset(roles))
        self._known[authorization] = principal, expires
        if len(self._known) > MOST_CACHED:
            self._known.popitem(last=False)
        return principal


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key that signs tokens, for development and tests: whoever holds it can be anybody."""

    private_pem: bytes = field(repr=False)
    public_pem: bytes

    @staticmethod
    def make() -> SigningKey:
        """A new Ed25519 key."""
        return _with_public(Ed25519PrivateKey.generate())

    @staticmethod
    def of(private_pem: bytes) -> SigningKey:
        """The key of a PEM file that `make` made. Raises RefusedToStart when it is no such file."""
        try:
            key = serialization.load_pem_private_key(private_pem, password=None)
        except (ValueError, TypeError):
            key = None
        # The library's reason may quote the file.
        if not isinstance(key, Ed25519PrivateKey):
            raise RefusedToStart("the key that signs tokens is no Ed25519 private key in PEM")
        return _with_public(key)

    def token(self, subject: str, roles: Iterable[str], issuer: str, audience: str, valid_s: int = 86_400) -> str:
        """A token for a subject with these roles, valid for so many seconds."""
        now = int(time.time())
        claims = {"sub": subject, "roles": sorted(roles), "iss": issuer, "aud": audience, "exp": now + valid_s}
        return jwt.encode(claims, self.private_pem.decode(), algorithm="EdDSA")


def _with_public(key: Ed25519PrivateKey) -> SigningKey:
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return SigningKey(private, public)


def write_secret(path: Path, content: bytes) -> None:
    """Writes a file that only its owner can read, whatever it was before. Raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, 0o600)
        os.ftruncate(descriptor, 0)
        file.write(content)


def bearer(token: str) -> Sequence[tuple[str, str]]:
    """The metadata that carries a token."""
    return (("authorization", f"Bearer {token}"),)
