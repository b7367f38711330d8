"""Receipts in a file: JSON lines `{match, sequence, hash}`, the hash in hex, as a client was told them."""

from __future__ import annotations

import json
from pathlib import Path

from gammon_audit.record import Receipt

HASH_BYTES = 32


class BadReceipts(Exception):
    """The receipts cannot be read; the text names file, line and fault."""


def read_receipts(path: Path) -> list[Receipt]:
    """The receipts of a file; blank lines are skipped. Raises BadReceipts."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadReceipts(f"{path}: {error}") from None
    receipts = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                receipts.append(_receipt(json.loads(line)))
            except (ValueError, TypeError) as error:
                raise BadReceipts(
                    f"{path}, line {number}: expected {{match, sequence, hash}} with 64 hex digits: {error}"
                ) from None
    return receipts


def _receipt(told: object) -> Receipt:
    if not isinstance(told, dict) or not {"match", "sequence", "hash"} <= told.keys():
        raise ValueError("match, sequence or hash is missing")
    match_id, sequence, digest = told["match"], told["sequence"], told["hash"]
    if not isinstance(match_id, str) or not isinstance(sequence, int) or not isinstance(digest, str):
        raise TypeError("match and hash are texts, sequence is a number")
    value = bytes.fromhex(digest)
    if len(value) != HASH_BYTES:
        raise ValueError(f"hash has {len(value)} bytes")
    return Receipt(match_id, sequence, value)
