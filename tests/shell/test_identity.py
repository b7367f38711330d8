"""Tokens that are believed, and all the others."""

import base64
import json
import stat
import time
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from tests.shell.echo import AUDIENCE, ISSUER

from gammon_shell import identity
from gammon_shell.errors import RefusedToStart
from gammon_shell.identity import IdentityFault, JwtPrincipals, Principal, SigningKey, bearer, write_secret
from gammon_shell.verifying_keys import OneKey


@pytest.fixture(scope="module")
def rsa_key() -> RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


@pytest.fixture
def principals(key: SigningKey) -> JwtPrincipals:
    return JwtPrincipals(OneKey(key.public_pem), ISSUER, AUDIENCE)


def public_pem(key: Any) -> bytes:
    pem: bytes = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return pem


def claims(**changes: Any) -> dict[str, Any]:
    """Claims that are believed; None takes one away."""
    usual = {"sub": "anna", "roles": ["writer"], "iss": ISSUER, "aud": AUDIENCE, "exp": int(time.time()) + 600}
    return {name: value for name, value in (usual | changes).items() if value is not None}


def signed(key: SigningKey, **changes: Any) -> str:
    return "Bearer " + jwt.encode(claims(**changes), key.private_pem.decode(), algorithm="EdDSA")


def by_hand(header: bytes, payload: bytes, signature: bytes = b"") -> str:
    return "Bearer " + ".".join(
        base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in (header, payload, signature)
    )


def fault(principals: JwtPrincipals, authorization: str | None) -> str:
    found = principals.principal(authorization)
    assert isinstance(found, IdentityFault), found
    return found.fault


def test_a_good_token_is_believed(principals: JwtPrincipals, key: SigningKey) -> None:
    assert principals.principal(signed(key)) == Principal("anna", frozenset({"writer"}))
    token = key.token("b:1@x.y-z_0", ["reader", "writer"], ISSUER, AUDIENCE)
    ((name, value),) = bearer(token)
    assert name == "authorization"
    assert principals.principal(value) == Principal("b:1@x.y-z_0", frozenset({"reader", "writer"}))
    assert principals.principal("bEARER " + token) == principals.principal(value)


def test_an_rsa_key_believes_rs256_only(rsa_key: RSAPrivateKey) -> None:
    principals = JwtPrincipals(OneKey(public_pem(rsa_key)), ISSUER, AUDIENCE)
    assert principals.principal("Bearer " + jwt.encode(claims(), rsa_key, algorithm="RS256")) == Principal(
        "anna", frozenset({"writer"})
    )
    for other in ("RS384", "RS512", "PS256"):
        token = "Bearer " + jwt.encode(claims(), rsa_key, algorithm=other)
        assert fault(principals, token) == "the token's algorithm is not the key's"


def test_other_algorithms_are_not_believed(principals: JwtPrincipals, key: SigningKey, rsa_key: RSAPrivateKey) -> None:
    wrong = "the token's algorithm is not the key's"
    none = jwt.encode(claims(), "", algorithm="none")
    assert fault(principals, f"Bearer {none}") == wrong
    # HMAC with the public key as its secret, which everybody knows
    header, payload = json.dumps({"alg": "HS256", "typ": "JWT"}).encode(), json.dumps(claims()).encode()
    unsigned = by_hand(header, payload).removeprefix("Bearer ").rsplit(".", 1)[0]
    mac = jwt.get_algorithm_by_name("HS256").sign(unsigned.encode(), key.public_pem)
    assert fault(principals, by_hand(header, payload, mac)) == wrong
    assert fault(principals, "Bearer " + jwt.encode(claims(), rsa_key, algorithm="RS256")) == wrong
    assert fault(principals, "Bearer " + jwt.encode(claims(), "x" * 64, algorithm="HS512")) == wrong


def test_another_key_is_not_believed(principals: JwtPrincipals) -> None:
    assert fault(principals, signed(SigningKey.make())) == "the token's signature does not verify"


def test_a_changed_token_is_not_believed(principals: JwtPrincipals, key: SigningKey) -> None:
    header, _, signature = signed(key).split(".")
    payload = base64.urlsafe_b64encode(json.dumps(claims(sub="bert")).encode()).rstrip(b"=").decode()
    assert fault(principals, f"{header}.{payload}.{signature}") == "the token's signature does not verify"


@pytest.mark.parametrize("claim", ["exp", "iss", "aud", "sub"])
def test_every_claim_is_needed(principals: JwtPrincipals, key: SigningKey, claim: str) -> None:
    assert fault(principals, signed(key, **{claim: None})) == "the token lacks one of exp, iss, aud, sub"


def test_issuer_and_audience_are_ours(principals: JwtPrincipals, key: SigningKey) -> None:
    assert fault(principals, signed(key, iss="others")) == "the token is from another issuer"
    assert fault(principals, signed(key, aud="others")) == "the token is for another audience"
    assert isinstance(principals.principal(signed(key, aud=["others", AUDIENCE])), Principal)


def test_clocks_may_differ_by_a_minute(principals: JwtPrincipals, key: SigningKey) -> None:
    now = int(time.time())
    assert isinstance(principals.principal(signed(key, exp=now - 50)), Principal)
    assert fault(principals, signed(key, exp=now - 70)) == "the token has expired"
    assert isinstance(principals.principal(signed(key, nbf=now + 50)), Principal)
    assert fault(principals, signed(key, nbf=now + 70)) == "the token is not valid yet"


def test_a_remembered_token_expires_too(
    principals: JwtPrincipals, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    token = signed(key, exp=int(now) - 57)
    assert isinstance(principals.principal(token), Principal)
    deadline = now + 10
    while isinstance(principals.principal(token), Principal):
        assert time.time() < deadline
        time.sleep(0.1)
    assert fault(principals, token) == "the token has expired"
    # also one that was good when it was remembered
    token = signed(key, exp=int(now) + 5)
    assert isinstance(principals.principal(token), Principal)
    verified: list[int] = []

    def expired(*_: object, **__: object) -> None:
        verified.append(1)
        raise jwt.ExpiredSignatureError

    monkeypatch.setattr(jwt, "decode", expired)
    assert isinstance(principals.principal(token), Principal)
    monkeypatch.setattr(time, "time", lambda: now + 6)
    assert fault(principals, token) == "the token has expired"
    assert verified


def test_a_token_is_verified_once(principals: JwtPrincipals, key: SigningKey, monkeypatch: pytest.MonkeyPatch) -> None:
    token = signed(key)
    first = principals.principal(token)
    monkeypatch.setattr(jwt, "decode", lambda *_, **__: pytest.fail("verified again"))
    assert principals.principal(token) is first


def test_no_more_tokens_are_remembered_than_allowed(
    principals: JwtPrincipals, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "MOST_CACHED", 3)
    tokens = [signed(key, sub=f"s{i}") for i in range(5)]
    for token in tokens:
        principals.principal(token)
    decoded: list[int] = []
    decode = jwt.decode

    def counted(*arguments: Any, **more: Any) -> Any:
        decoded.append(1)
        return decode(*arguments, **more)

    monkeypatch.setattr(jwt, "decode", counted)
    for token in reversed(tokens):
        assert isinstance(principals.principal(token), Principal)
    assert len(decoded) == 2


@pytest.mark.parametrize("subject", ["", "x" * 65, "a b", "a\n", "ä", "a/b", "<i>"])
def test_a_subject_is_an_opaque_reference(principals: JwtPrincipals, key: SigningKey, subject: str) -> None:
    assert fault(principals, signed(key, sub=subject)) == "the token's subject is not 1 to 64 of A-Z a-z 0-9 _ . : @ -"


def test_roles_are_a_list_of_names(principals: JwtPrincipals, key: SigningKey) -> None:
    for roles in ("writer", {"writer": 1}, [1], [["writer"]], 7):
        assert fault(principals, signed(key, roles=roles)) == "the token's roles are no list of names"
    assert principals.principal(signed(key, roles=None)) == Principal("anna", frozenset())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Bearer a.b.c",
        "Bearer ...",
        "Bearer \x00\x00.\x00.\x00",
        "Bearer ä.ö.ü",
        by_hand(b'{"alg":' + b"[" * 9000, b"{}"),
        by_hand(b'{"alg":["EdDSA"]}', b"{}"),
        by_hand(b'{"alg":"EdDSA"}', b"[]", b"x" * 64),
        by_hand(b'{"alg":"EdDSA","kid":7}', b"{}", b"x" * 64),
        by_hand(b"\xff\xfe", b"\xff", b"\xff"),
        by_hand(b'"EdDSA"', b"1", b"1"),
        by_hand(b'{"alg":"EdDSA","crit":["x"]}', b"{}", b"x" * 64),
        "Basic YTpi",
    ],
)
def test_garbage_is_refused_and_not_quoted(principals: JwtPrincipals, text: str) -> None:
    told = fault(principals, text)
    assert told.startswith(("the token", "the authorization is no bearer token"))
    assert len(told) < 70


@pytest.mark.parametrize(
    "change",
    [{"exp": "soon"}, {"exp": 1e400}, {"exp": []}, {"sub": 7}, {"aud": 7}, {"nbf": "x"}, {"iat": "x"}, {"iss": 7}],
)
def test_signed_garbage_is_refused_too(principals: JwtPrincipals, key: SigningKey, change: dict[str, Any]) -> None:
    signing = jwt.get_algorithm_by_name("EdDSA")
    header, payload = b'{"alg":"EdDSA"}', json.dumps(claims() | change).encode()
    text = by_hand(header, payload).removeprefix("Bearer ").rsplit(".", 1)[0].encode()
    signature = signing.sign(text, signing.prepare_key(key.private_pem))
    fault(principals, by_hand(header, payload, signature))


def test_only_public_keys_of_two_kinds_are_taken(key: SigningKey) -> None:
    """Cases S21: no start without a key that is good enough, and the key is not in the error."""
    small, curve = rsa.generate_private_key(65537, 1024), ec.generate_private_key(ec.SECP256R1())
    for pem in (b"", b"secret", key.private_pem, public_pem(small), public_pem(curve)):
        with pytest.raises(RefusedToStart, match="the key that tokens are verified with") as refused:
            OneKey(pem)
        assert "BEGIN" not in str(refused.value)
        assert "secret" not in str(refused.value)


def test_two_keys_are_never_the_same_and_do_not_show(key: SigningKey) -> None:
    assert SigningKey.make() != SigningKey.make()
    assert "PRIVATE" not in repr(key)


def test_a_secret_is_written_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    path.write_bytes(b"something longer that was there before")
    path.chmod(0o644)
    write_secret(path, b"key")
    assert path.read_bytes() == b"key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
