"""Offers to end the game, and their answers (1.11, 8.1, 8.6)."""

from __future__ import annotations

from dataclasses import replace

from gammon_engine.referee.actions import Accept, Decline, OfferNoResult, Resign, Settle, Withdraw
from gammon_engine.referee.doubling import accept_raise
from gammon_engine.referee.ending import end_at_level, end_by_settlement, end_without_points
from gammon_engine.referee.facts import (
    Fact,
    How,
    NoResultOffered,
    OfferAccepted,
    OfferDeclined,
    OfferWithdrawn,
    ResignationOffered,
    SettlementOffered,
)
from gammon_engine.referee.ruling import Ruling, not_yours, out_of_phase
from gammon_engine.referee.state import NoResult, Phase, Resignation, Settlement, State
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
    shown = "none" if level is None else str(level)
    if top == 1 and level is not None:
        return Violation("5.16", "a win is always single", "level", shown)
    return Violation(rule, f"a level is from 1 to {top}", "level", shown)


def settle(settings: Settings, state: State, action: Settle) -> Ruling | Violation:
    """Offer to end the game for stated points."""
    if state.phase not in _FREE:
        return out_of_phase(settings, state)
    if not isinstance(settings.play, SessionPlay):
        return not_yours("8.6", "only a session of two can be settled", action.seat)
    if action.to not in range(settings.seats):
        return Violation("8.6", "the points go to seat 0 or 1", "to", str(action.to))
    if action.points < 0:
        return Violation("8.6", "points cannot be negative", "points", str(action.points))
    offer = Settlement(action.seat, action.points, action.to, state.phase)
    offered = replace(state, phase=Phase.SETTLING, offer=offer)
    return Ruling(offered, (SettlementOffered(action.seat, action.points, action.to),))


def offer_no_result(settings: Settings, state: State, action: OfferNoResult) -> Ruling | Violation:
    """Offer to end the game without points; all seats still in answer, in any order."""
    if state.phase not in _FREE:
        return out_of_phase(settings, state)
    offer = NoResult(action.seat, state.phase)
    return Ruling(replace(state, phase=Phase.RESIGNING, offer=offer), (NoResultOffered(action.seat),))


def owing_an_answer(state: State) -> tuple[int, ...]:
    """The seats whose answer the open offer waits for."""
    match state.offer:
        case None:
            return ()
        case NoResult(seat, _, agreed):
            given = (seat, *agreed)
        case offer:
            given = (offer.seat,)
    return tuple(seat for seat in state.seats_in if seat not in given)


def accept(settings: Settings, state: State, action: Accept) -> Ruling | Violation:
    """Yes to whatever is offered, a double apart: that is taken or dropped."""
    if state.phase in (Phase.BEAVERED, Phase.RACCOONED):
        return accept_raise(state, action.seat)
    if state.offer is None:
        return out_of_phase(settings, state)
    if action.seat not in owing_an_answer(state):
        return not_yours("8.1", "the others answer an offer, each once", action.seat)
    accepted: tuple[Fact, ...] = (OfferAccepted(action.seat),)
    match state.offer:
        case Resignation(seat, level):
            return end_at_level(settings, state, 1 - seat, level, How.RESIGNATION, accepted)
        case Settlement(_, points, to):
            return end_by_settlement(settings, state, to, points, accepted)
        case NoResult() as offer:
            agreed = replace(offer, agreed=tuple(sorted((*offer.agreed, action.seat))))
            state = replace(state, offer=agreed)
            if owing_an_answer(state):
                return Ruling(state, accepted)
            return end_without_points(settings, state, How.AGREEMENT, accepted, replayed=False)


def decline(settings: Settings, state: State, action: Decline) -> Ruling | Violation:
    """No; play goes on as it was."""
    if state.offer is None:
        return out_of_phase(settings, state)
    if action.seat not in owing_an_answer(state):
        return not_yours("8.1", "the others answer an offer, each once", action.seat)
    return Ruling(replace(state, phase=state.offer.back, offer=None), (OfferDeclined(action.seat),))


def withdraw(settings: Settings, state: State, action: Withdraw) -> Ruling | Violation:
    """Take one's own offer back; play goes on as it was."""
    if state.offer is None:
        return out_of_phase(settings, state)
    if action.seat != state.offer.seat:
        return not_yours("8.1", "only who made an offer withdraws it", action.seat)
    return Ruling(replace(state, phase=state.offer.back, offer=None), (OfferWithdrawn(action.seat),))
