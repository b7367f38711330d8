"""Keys of an address: which are taken, when they are fetched, and what a token without its key gets."""

import asyncio
import json
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed448, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from tests.shell.certificates import Authority
from tests.shell.echo import AUDIENCE, ISSUER
from tests.shell.key_address import UNKNOWN, KeyAddress, jwk, signed

from gammon_shell import jwks
from gammon_shell.errors import RefusedToStart
from gammon_shell.identity import IdentityFault, JwtPrincipals, Principal
from gammon_shell.jwks import JwksKeys

ANNA = Principal("anna", frozenset({"writer"}))


@pytest.fixture(scope="module")
def rsa_key() -> RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


@asynccontextmanager
async def started(address: KeyAddress, refresh_s: float = 300.0) -> AsyncIterator[JwtPrincipals]:
    principals = JwtPrincipals(JwksKeys(address.url, refresh_s), ISSUER, AUDIENCE)
    await principals.start()
    try:
        yield principals
    finally:
        await principals.stop()


def fault(found: Principal | IdentityFault) -> str:
    assert isinstance(found, IdentityFault), found
    return found.fault


async def test_a_token_is_verified_with_the_key_it_names(
    address: KeyAddress, first: Ed25519PrivateKey, second: Ed25519PrivateKey, rsa_key: RSAPrivateKey
) -> None:
    address.publish(
        jwk("first", first.public_key()),
        jwk("second", second.public_key(), alg="EdDSA", use="sig"),
        jwk("third", rsa_key.public_key()),
    )
    async with started(address) as principals:
        assert principals.principal(signed(first, "first")) == ANNA
        assert principals.principal(signed(second, "second")) == ANNA
        assert principals.principal(signed(rsa_key, "third", "RS256")) == ANNA
        # No other key of the set is tried, and no other algorithm.
        assert fault(principals.principal(signed(first, "second"))) == "the token's signature does not verify"
        wrong = "the token's algorithm is not the key's"
        assert fault(principals.principal(signed(rsa_key, "first", "RS256"))) == wrong
        assert fault(principals.principal(signed(first, "third"))) == wrong
        assert fault(principals.principal(signed(rsa_key, "third", "PS256"))) == wrong
        assert fault(principals.principal(signed(rsa_key, "third", "RS512"))) == wrong
        assert fault(principals.principal(signed("x" * 64, "first", "HS256"))) == wrong
        # Without a key id there is no key, and none is looked for.
        assert principals.principal(signed(first, None)) == IdentityFault(UNKNOWN, is_key_unknown=False)
        assert principals.principal(signed(first, "fourth")) == IdentityFault(UNKNOWN, is_key_unknown=True)
        # All that is asked of other tokens is asked of these.
        assert fault(principals.principal(signed(first, "first", iss="others"))) == "the token is from another issuer"
        assert fault(principals.principal(signed(first, "first", exp=None))).startswith("the token lacks one of exp")
        assert fault(principals.principal(signed(first, "first", exp=int(time.time()) - 70))) == "the token has expired"


async def test_only_keys_of_the_two_kinds_are_taken(
    address: KeyAddress, first: Ed25519PrivateKey, second: Ed25519PrivateKey, rsa_key: RSAPrivateKey
) -> None:
    small, curve = rsa.generate_private_key(65537, 1024), ec.generate_private_key(ec.SECP256R1())
    private = json.loads(jwt.get_algorithm_by_name("EdDSA").to_jwk(second))
    elliptic = json.loads(jwt.get_algorithm_by_name("ES256").to_jwk(curve.public_key()))
    longer = json.loads(jwt.get_algorithm_by_name("EdDSA").to_jwk(ed448.Ed448PrivateKey.generate().public_key()))
    public = first.public_key()
    unfit = {
        "small": jwk("small", small.public_key()),
        "pss": jwk("pss", rsa_key.public_key(), alg="PS256"),
        "sha512": jwk("sha512", rsa_key.public_key(), alg="RS512"),
        "secret": {"kty": "oct", "k": "c2VjcmV0", "kid": "secret"},
        "elliptic": elliptic | {"kid": "elliptic"},
        "longer": longer | {"kid": "longer"},
        "private": private | {"kid": "private"},
        "encryption": jwk("encryption", public, use="enc"),
        "other": jwk("other", public, alg="RS256"),
        "broken": jwk("broken", public, x="!"),
        "strange": {"kty": "strange", "kid": "strange"},
    }
    address.publish(
        *unfit.values(),
        *(jwk("twice", key.public_key()) for key in (first, second)),
        jwk(None, public),
        jwk("", public),
        jwk("good", public),
    )
    keys = JwksKeys(address.url, 300)
    await keys.start()
    assert keys.key("good") is not None
    assert {name for name in (*unfit, "twice", "") if keys.key(name) is not None} == set()
    await keys.stop()


async def test_a_new_key_is_fetched_when_a_token_names_it_and_a_withdrawn_one_is_good_no_more(
    address: KeyAddress, first: Ed25519PrivateKey, second: Ed25519PrivateKey
) -> None:
    async with started(address) as principals:
        old, new = signed(first, "first"), signed(second, "second")
        assert principals.principal(old) == ANNA
        assert fault(principals.principal(new)) == UNKNOWN
        address.publish(jwk("second", second.public_key()))
        assert await principals.renew()
        assert principals.principal(new) == ANNA
        # It was verified before, with a key that is gone.
        assert fault(principals.principal(old)) == UNKNOWN


async def test_unknown_keys_are_asked_for_seldom_and_once_for_all(
    address: KeyAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started(address) as principals:
        assert address.requests == 1
        address.held.clear()
        asking = [asyncio.create_task(principals.renew()) for _ in range(50)]
        await asyncio.sleep(0.05)
        asking[0].cancel()  # who gives up does not end it for the others
        address.held.set()
        assert await asyncio.gather(*asking[1:]) == [True] * 49
        assert address.requests == 2
        for _ in range(50):
            assert not await principals.renew()
        assert address.requests == 2
        now = time.monotonic()
        monkeypatch.setattr(time, "monotonic", lambda: now + jwks.COOLDOWN_S)
        assert await principals.renew()
        assert address.requests == 3


async def test_keys_stay_good_while_the_address_is_away_and_are_renewed_when_it_is_back(
    address: KeyAddress, first: Ed25519PrivateKey, second: Ed25519PrivateKey, log: list[Any]
) -> None:
    async def requests(more: int) -> None:
        until = address.requests + more
        async with asyncio.timeout(5):
            while address.requests < until:
                await asyncio.sleep(0.01)

    async with started(address, refresh_s=0.02) as principals:
        good = address.document
        for document in (b"", b"{", b"[]", b"{}", b'{"keys": []}', b'{"keys": 7}', b'{"keys": [7]}', b"\xff\xfe"):
            address.document = document
            await requests(2)
            assert principals.principal(signed(first, "first")) == ANNA, document
        address.document = good
        for status in (404, 503):
            address.status = status
            await requests(2)
            assert principals.principal(signed(first, "first")) == ANNA
        address.status = 200
        address.publish(jwk("second", second.public_key()))
        await requests(2)
        assert principals.principal(signed(second, "second")) == ANNA
        assert fault(principals.principal(signed(first, "first"))) == UNKNOWN
    assert any(event["event"] == "keys not fetched" and "404" in event["fault"] for event in log)


async def test_fetching_does_not_hold_up_the_loop(address: KeyAddress) -> None:
    async with started(address) as principals:
        address.held.clear()
        renewing = asyncio.create_task(principals.renew())
        started_at = time.perf_counter()
        for _ in range(10):
            await asyncio.sleep(0.01)
        assert time.perf_counter() - started_at < 1.0
        assert not renewing.done()
        address.held.set()
        assert await renewing


async def test_a_redirect_is_not_followed(address: KeyAddress, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jwks, "START_WITHIN_S", 0.1)
    address.status, address.location = 302, address.url + "/elsewhere"
    with pytest.raises(RefusedToStart, match="302"):
        await JwksKeys(address.url, 300).start()


async def test_the_start_waits_for_an_address_that_is_starting(
    address: KeyAddress, first: Ed25519PrivateKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jwks, "AGAIN_S", 0.02)
    address.status = 503

    async def later() -> None:
        while address.requests < 3:
            await asyncio.sleep(0.01)
        address.status = 200

    waiting = asyncio.create_task(later())
    async with started(address) as principals:
        assert principals.principal(signed(first, "first")) == ANNA
    await waiting


async def test_without_any_key_there_is_no_start(address: KeyAddress, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jwks, "START_WITHIN_S", 0.1)
    monkeypatch.setattr(jwks, "AGAIN_S", 0.02)
    address.publish({"kty": "oct", "k": "c2VjcmV0", "kid": "secret"})
    with pytest.raises(RefusedToStart, match=r"GAMMON_AUTH_JWKS_URL: no keys within .*none of its keys") as refused:
        await JwksKeys(address.url, 300).start()
    assert "c2VjcmV0" not in str(refused.value)
    address.close()
    with pytest.raises(RefusedToStart, match=r"GAMMON_AUTH_JWKS_URL: no keys within .*refused"):
        await JwksKeys(address.url, 300).start()


async def test_an_https_address_needs_a_certificate_that_is_believed(
    no_proxy: None, first: Ed25519PrivateKey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jwks, "START_WITHIN_S", 0.1)
    authority = Authority(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*authority.issue())
    address = KeyAddress(jwk("first", first.public_key()), tls=context)
    try:
        with pytest.raises(RefusedToStart, match="CERTIFICATE_VERIFY_FAILED"):
            await JwksKeys(address.url, 300).start()
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
        async with started(address) as principals:
            assert principals.principal(signed(first, "first")) == ANNA
    finally:
        address.close()
