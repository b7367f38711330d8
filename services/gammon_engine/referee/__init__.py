"""The referee: one pure state machine over cube, stakes, score and the game on the board."""

from gammon_engine.referee.beginning import begin, set_up
from gammon_engine.referee.only_choice import OnlyChoice, only_choice
from gammon_engine.referee.rule import rule
from gammon_engine.referee.ruling import Ruling
from gammon_engine.referee.summary import DrawNeeded, Purpose, Summary, legal_actions, summary

__all__ = [
    "DrawNeeded",
    "OnlyChoice",
    "Purpose",
    "Ruling",
    "Summary",
    "begin",
    "legal_actions",
    "only_choice",
    "rule",
    "set_up",
    "summary",
]
