"""Offers to end the game, and their answers (8.1, 8.6)."""

from __future__ import annotations

from dataclasses import replace

from gammon_engine.referee.actions import Accept, Decline, Resign, Settle
from gammon_engine.referee.doubling import accept_raise
from gammon_engine.referee.ending import end_at_level, end_by_settlement
from gammon_engine.referee.facts import (
    How,
    OfferAccepted,
    OfferDeclined,
    ResignationOffered,
    SettlementOffered,
)
from gammon_engine.referee.ruling import Ruling, not_yours, out_of_phase
from gammon_engine.referee.state import Phase, Resignation, Settlement, State
from gammon_engine.registry import game_of
from gammon_engine.settings import SessionPlay, Settings
from gammon_engine.violation import Violation

# 8.1: from the opening on, on either player's turn, while no other offer is open.
_FREE = (Phase.OPENING, Phase.TO_ROLL, Phase.TO_PLAY)


def resign(settings: Settings, state: State, action: Resign) -> Ruling | Violation:
    """Offer to lose at a level, which need not be possible on the board."""
    if state.phase not in _FREE:
        return out_of_phase(settings, state)
    refusal = level_refusal("8.1", settings, state, action.level)
    if refusal is not None:
        return refusal
    offer = Resignation(action.seat, action.level, state.phase)
    offered = replace(state, phase=Phase.RESIGNING, offer=offer)
    return Ruling(offered, (ResignationOffered(action.seat, action.level),))


def level_refusal(rule: str, settings: Settings, state: State, level: int | None) -> Violation | None:
    """Why nobody can lose this game at `level`, or None."""
    top = game_of(settings, state.playing).top_level
    if level is not None and 1 <= level <= top:
        return None
    return Violation(rule, f"a level is from 1 to {top}", "level", "none" if level is None else str(level))


def settle(settings: Settings, state: State, action: Settle) -> Ruling | Violation:
    """Offer to end the game for stated points."""
    if state.phase not in _FREE:
        return out_of_phase(settings, state)
    if not isinstance(settings.play, SessionPlay) or settings.seats != 2:
        return not_yours("8.6", "only a session of two can be settled", action.seat)
    if action.to not in range(settings.seats):
        return Violation("8.6", "the points go to seat 0 or 1", "to", str(action.to))
    if action.points < 0:
        return Violation("8.6", "points cannot be negative", "points", str(action.points))
    offer = Settlement(action.seat, action.points, action.to, state.phase)
    offered = replace(state, phase=Phase.SETTLING, offer=offer)
    return Ruling(offered, (SettlementOffered(action.seat, action.points, action.to),))


def accept(settings: Settings, state: State, action: Accept) -> Ruling | Violation:
    """Yes to whatever is offered, a double apart: that is taken or dropped."""
    if state.phase in (Phase.BEAVERED, Phase.RACCOONED):
        return accept_raise(state, action.seat)
    if state.offer is None:
        return out_of_phase(settings, state)
    if action.seat == state.offer.seat:
        return not_yours("8.1", "the opponent answers an offer", action.seat)
    accepted = (OfferAccepted(action.seat),)
    match state.offer:
        case Resignation(seat, level):
            return end_at_level(settings, state, 1 - seat, level, How.RESIGNATION, accepted)
        case Settlement(_, points, to):
            return end_by_settlement(settings, state, to, points, accepted)


def decline(settings: Settings, state: State, action: Decline) -> Ruling | Violation:
    """No; play goes on as it was."""
    if state.offer is None:
        return out_of_phase(settings, state)
    if action.seat == state.offer.seat:
        return not_yours("8.1", "the opponent answers an offer", action.seat)
    return Ruling(replace(state, phase=state.offer.back, offer=None), (OfferDeclined(action.seat),))
