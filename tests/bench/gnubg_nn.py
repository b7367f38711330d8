"""How fast gnubg-nn generates the moves of the positions that `legal_plays` measures, in its own process."""

from tests.bench.legal_plays import Case, random_cases, shared_cases
from tests.peers.processes import asked, at_hand

from gammon_engine.games.backgammon import Backgammon


def measure(rounds: int = 5) -> dict[str, float] | None:
    """Medians: positions a second, non-doubles and doubles; None where `make peers` has not brought it."""
    if not at_hand():
        return None
    non_doubles, doubles = shared_cases() or random_cases(Backgammon())
    return {"non_doubles_per_s": _rate(non_doubles, rounds), "doubles_per_s": _rate(doubles, rounds)}


def _rate(timed: list[Case], rounds: int) -> float:
    game = Backgammon()
    lines = [{"position": game.text(position), "seat": seat, "roll": roll} for position, seat, roll in timed]
    (rate,) = asked("gnubg_nn_moves", "rate", str(rounds), lines=lines)
    return float(rate)
