"""TLS by certificate files: of a server, read again when they change, and of an authority that callers believe."""

from __future__ import annotations

from pathlib import Path

import grpc
import structlog
from cryptography import x509
from cryptography.hazmat.primitives import serialization

from gammon_shell.errors import RefusedToStart

LOG = structlog.get_logger("tls")
# Time of change, size and place of a file; None: it is not there.
Stamp = tuple[int, int, int] | None


class UnfitFiles(Exception):
    """A certificate and a key do not make TLS; the text says why and quotes nothing."""


class CertificateFiles:
    """A server's certificate chain and private key in PEM files, which may be replaced while it serves."""

    def __init__(self, certificate: Path, key: Path) -> None:
        """Reads the files. Raises RefusedToStart when they do not fit."""
        self._certificate, self._key = certificate, key
        try:
            self._stamps = self._stamps_now()
            self._pair = self._read()
        except (OSError, UnfitFiles) as error:
            raise RefusedToStart(f"GAMMON_TLS_CERTIFICATE, GAMMON_TLS_KEY: {error}") from None

    def credentials(self) -> grpc.ServerCredentials:
        """What a server listens with. Connections that are open keep what they began with."""
        # The stub does not know that None may be fetched.
        return grpc.dynamic_ssl_server_credentials(_configuration(self._pair), self._changed)  # type: ignore[arg-type]

    def _changed(self) -> grpc.ServerCertificateConfiguration | None:
        """What is new; None: nothing. gRPC asks before each handshake, on a thread of its own."""
        stamps = self._stamps_now()
        if stamps == self._stamps:
            return None
        # Half of a pair that is being replaced does not fit, and the other half changes the stamps again.
        self._stamps = stamps
        try:
            self._pair = self._read()
        except (OSError, UnfitFiles) as error:
            LOG.warning("certificate not taken, the old one is kept", fault=str(error))
            return None
        LOG.info("certificate taken")
        return _configuration(self._pair)

    def _stamps_now(self) -> tuple[Stamp, Stamp]:
        return _stamp(self._certificate), _stamp(self._key)

    def _read(self) -> tuple[bytes, bytes]:
        key, chain = self._key.read_bytes(), self._certificate.read_bytes()
        try:
            certificate = x509.load_pem_x509_certificates(chain)[0]
        except ValueError:
            raise UnfitFiles(f"no certificate in PEM: {self._certificate}") from None
        try:
            private = serialization.load_pem_private_key(key, password=None)
        except (ValueError, TypeError):
            raise UnfitFiles(f"no private key in PEM without a password: {self._key}") from None
        if private.public_key() != certificate.public_key():
            raise UnfitFiles(f"{self._key} is not the key of {self._certificate}")
        return key, chain


def authority_credentials(ca: Path) -> grpc.ChannelCredentials:
    """What a caller believes: certificates of the authorities in a PEM file. Raises RefusedToStart."""
    try:
        pem = ca.read_bytes()
        x509.load_pem_x509_certificates(pem)
    except OSError as error:
        raise RefusedToStart(f"certificate of the authority: {error.strerror}: {ca}") from None
    except ValueError:
        raise RefusedToStart(f"certificate of the authority: no certificate in PEM: {ca}") from None
    return grpc.ssl_channel_credentials(pem)


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _configuration(pair: tuple[bytes, bytes]) -> grpc.ServerCertificateConfiguration:
    return grpc.ssl_server_certificate_configuration([pair])
