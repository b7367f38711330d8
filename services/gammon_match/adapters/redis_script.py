"""Scripts that may be run twice, on a server that may have lost them."""

import hashlib
from importlib.resources import files
from typing import Final

from gammon_match.adapters.redis_link import RedisLink, packed
from gammon_match.app.ports import Unreadable

_LOST: Final = "NOSCRIPT"


class RedisScript:
    """A Lua script of this package."""

    def __init__(self, name: str) -> None:
        """Reads the script from its file."""
        self._text = files("gammon_match.adapters").joinpath(name).read_bytes()
        self._sha = hashlib.sha1(self._text, usedforsecurity=False).hexdigest().encode()

    async def run(self, link: RedisLink, keys: tuple[bytes, ...], *arguments: bytes | str | int) -> object | Unreadable:
        """The script's answer."""
        reply = await link.read(packed(b"EVALSHA", self._sha, len(keys), *keys, *arguments))
        if isinstance(reply, Unreadable) and reply.cause.startswith(_LOST):
            reply = await link.read(packed(b"EVAL", self._text, len(keys), *keys, *arguments))
        return reply if isinstance(reply, Unreadable) else reply[0]
