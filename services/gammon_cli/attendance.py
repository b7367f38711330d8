"""Who is there while a match is watched, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gammon.match.v1 import match_service_pb2 as pb


def there(presence: pb.Presence) -> str:
    """Who is there now: `there: seats 0 and 1, 3 others`."""
    others = presence.spectators
    parts = [_seats(presence.seats)] if presence.seats else []
    parts += [f"{others} other{'s' if others > 1 else ''}"] if others else []
    return "there: " + (", ".join(parts) or "nobody")


def comings_and_goings(before: pb.Presence, now: pb.Presence) -> Iterator[str]:
    """What has changed about the seats; how many others watch is not worth a line."""
    came, gone = set(now.seats) - set(before.seats), set(before.seats) - set(now.seats)
    for seats, what in ((came, "here"), (gone, "gone")):
        if seats:
            yield f"{_seats(seats)} {'is' if len(seats) == 1 else 'are'} {what}"


def _seats(seats: Iterable[int]) -> str:
    *most, last = map(str, sorted(seats))
    return f"seats {', '.join(most)} and {last}" if most else f"seat {last}"
