"""An address of keys: a real HTTP server in a thread, which answers as it is told."""

import base64
import contextlib
import json
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from tests.shell.echo import AUDIENCE, ISSUER

UNKNOWN = "the token's key is not known"


class KeyAddress:
    """Serves `document` with `status` at every path, counts the requests, and answers none while `held` is clear."""

    def __init__(self, *keys: dict[str, Any], tls: ssl.SSLContext | None = None) -> None:
        self.status, self.requests = 200, 0
        self.location = ""
        self.held = threading.Event()
        self.held.set()
        self.publish(*keys)
        address = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                address.requests += 1
                address.held.wait(10)
                self.send_response(address.status)
                if address.location:
                    self.send_header("Location", address.location)
                self.send_header("Content-Length", str(len(address.document)))
                self.end_headers()
                with contextlib.suppress(BrokenPipeError):  # who asked is gone
                    self.wfile.write(address.document)

            def log_message(self, format: str, *arguments: Any) -> None:
                """Nothing is told."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        scheme = "http" if tls is None else "https"
        self.url = f"{scheme}://127.0.0.1:{self._server.server_address[1]}/keys"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def publish(self, *keys: dict[str, Any]) -> None:
        """Serves these keys from now on."""
        self.document = json.dumps({"keys": keys}).encode()

    def close(self) -> None:
        """Stops."""
        self.held.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def jwk(kid: str | None, key: Ed25519PublicKey | RSAPublicKey, **more: Any) -> dict[str, Any]:
    """A public key as RFC 7517 and RFC 8037 write it; `more` replaces or adds members."""
    if isinstance(key, Ed25519PublicKey):
        raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        members = {"kty": "OKP", "crv": "Ed25519", "x": _text(raw)}
    else:
        numbers = key.public_numbers()
        members = {"kty": "RSA", "n": _number(numbers.n), "e": _number(numbers.e)}
    return members | ({} if kid is None else {"kid": kid}) | more


def signed(key: Any, kid: str | None, algorithm: str = "EdDSA", **changes: Any) -> str:
    """The authorization of anna with a token that names a key; a change to None takes a claim away."""
    claims = {"sub": "anna", "roles": ["writer"], "iss": ISSUER, "aud": AUDIENCE, "exp": int(time.time()) + 600}
    kept = {name: value for name, value in (claims | changes).items() if value is not None}
    return "Bearer " + jwt.encode(kept, key, algorithm=algorithm, headers={"kid": kid} if kid is not None else None)


def _number(value: int) -> str:
    return _text(value.to_bytes((value.bit_length() + 7) // 8, "big"))


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
