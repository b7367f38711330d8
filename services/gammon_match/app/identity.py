"""Match ids: the same caller with the same request id, or the same file, is the same match (design 5)."""

import base64
import hashlib

from gammon_proofs.chain import length_prefixed

ID_DIGITS = 26


def created_match_id(player: str, request_id: str, partitions: int) -> str:
    """The id of a match that a caller creates. Length prefixes keep its two parts from posing as each other."""
    seed = length_prefixed(player.encode()) + length_prefixed(request_id.encode())
    return _match_id(hashlib.sha256(seed).digest(), partitions)


def imported_match_id(source_sha256: bytes, partitions: int) -> str:
    """The id of a match imported from a file with this SHA-256 (32 bytes)."""
    return _match_id(source_sha256, partitions)


def rematch_match_id(match_id: str, partitions: int) -> str:
    """The id of the rematch of a match, whoever asks for it. No reference begins with a slash, so no player has it."""
    seed = length_prefixed(b"/rematch") + length_prefixed(match_id.encode())
    return _match_id(hashlib.sha256(seed).digest(), partitions)


def _match_id(digest: bytes, partitions: int) -> str:
    partition = int.from_bytes(digest[-8:], "big") % partitions
    return f"m_{partition:03d}_{base64.b32encode(digest).decode()[:ID_DIGITS]}"


def request_digest(*parts: bytes) -> bytes:
    """The first 16 bytes of SHA-256 over a request's own content, so that a reused request id is noticed."""
    return hashlib.sha256(b"".join(length_prefixed(part) for part in parts)).digest()[:16]
