"""Positions as text and as pictures: pure functions of `gammon_engine.view`, which know no game."""
