"""Which drawing a PNG was made from, written into it, so that a stale one is found without drawing it again."""

import hashlib
import zlib

_KEYWORD = b"Source\0"
# Behind the signature and the header, which has always the same length.
_AFTER_HEADER = 8 + 25


def stamped(png: bytes, drawing: str) -> bytes:
    """The PNG with the hash of its drawing as a text chunk."""
    content = b"tEXt" + _KEYWORD + _hash(drawing)
    chunk = (len(content) - 4).to_bytes(4, "big") + content + zlib.crc32(content).to_bytes(4, "big")
    return png[:_AFTER_HEADER] + chunk + png[_AFTER_HEADER:]


def is_of(png: bytes, drawing: str) -> bool:
    """Whether the PNG was made from this drawing."""
    return png[_AFTER_HEADER + 4 :].startswith(b"tEXt" + _KEYWORD + _hash(drawing))


def _hash(drawing: str) -> bytes:
    return hashlib.sha256(drawing.encode()).hexdigest().encode()
