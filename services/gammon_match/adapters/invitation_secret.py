"""The secret that invitations are made with: made once for a store, and shared by all processes on it."""

import secrets
from typing import Final

from gammon_match.adapters.redis_link import RedisLink, Replied, packed
from gammon_match.app.invitations import SECRET_SIZE

SECRET_KEY: Final = b"bg1:invitation-secret"


async def invitation_secret(link: RedisLink) -> bytes | str:
    """The store's secret, 32 bytes, or why there is none. Of services that start at once, the first one's counts."""
    ours = packed(b"SET", SECRET_KEY, secrets.token_bytes(SECRET_SIZE), b"NX")
    outcome = await link.exchange(ours + packed(b"GET", SECRET_KEY), 2)
    if not isinstance(outcome, Replied):
        return outcome.cause
    kept = outcome.replies[1]
    if isinstance(kept, bytes) and len(kept) == SECRET_SIZE:
        return kept
    # What is there instead is not shown: it may be half of a secret.
    return f"{SECRET_KEY.decode()} does not hold {SECRET_SIZE} bytes"
