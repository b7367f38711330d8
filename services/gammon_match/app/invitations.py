"""Invitations: tokens that say who may take which seat, under a secret that all processes of a store share.

Nothing is stored (docs/decisions/0024): the same invitation is the same token, and is good while the seat is open.
"""

import base64
import hashlib
import hmac
from dataclasses import dataclass, field

from gammon_proofs.chain import length_prefixed

SECRET_SIZE = 32
DOMAIN = b"bginv/1\x00"


@dataclass(frozen=True, slots=True)
class Invitations:
    """Makes invitations and reads them."""

    secret: bytes = field(repr=False)

    def token(self, match_id: str, seat: int, player: str) -> str:
        """An invitation to a seat; `player` empty: for whoever brings it."""
        said = length_prefixed(match_id.encode()) + bytes([seat]) + length_prefixed(player.encode())
        mac = hmac.digest(self.secret, DOMAIN + said, hashlib.sha256)
        return base64.urlsafe_b64encode(said + mac).rstrip(b"=").decode()

    def seat(self, token: str, match_id: str, player: str, seats: int) -> int | None:
        """The seat, below `seats`, that an invitation to this match gives to this player; None: it gives none."""
        found = None
        # What it could say is made anew and compared whole, so there is one text of an invitation and none to parse.
        for seat in range(seats):
            for invited in ("", player):
                if hmac.compare_digest(self.token(match_id, seat, invited).encode(), token.encode()):
                    found = seat
        return found
