"""Dice from the operating system's cryptographic source, and the system's clock."""

import secrets
import time


class SystemDice:
    """Fair dice that nobody can predict: `secrets` draws uniformly, without a bias of the last faces."""

    def throw(self, count: int) -> tuple[int, ...]:
        """The faces of `count` dice."""
        return tuple(secrets.randbelow(6) + 1 for _ in range(count))


class SystemClock:
    """The system's wall clock."""

    def now_ns(self) -> int:
        """Nanoseconds since the epoch."""
        return time.time_ns()
