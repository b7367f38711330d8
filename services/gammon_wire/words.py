"""The contract's enums and the engine's, side by side: one table for each pair, read both ways."""

from gammon.rules.v1 import action_pb2, fact_pb2, settings_pb2, state_pb2
from gammon_engine.referee.actions import Scope
from gammon_engine.referee.facts import How
from gammon_engine.referee.state import Crawford, Phase
from gammon_engine.referee.summary import Purpose
from gammon_engine.settings import Centres, GameId, RunnerRelease, SetUp

GAMES = {
    GameId.BACKGAMMON: settings_pb2.GAME_BACKGAMMON,
    GameId.TRACKGAMMON: settings_pb2.GAME_TRACKGAMMON,
    GameId.CATCHGAMMON: settings_pb2.GAME_CATCHGAMMON,
    GameId.RUNGAMMON: settings_pb2.GAME_RUNGAMMON,
    GameId.GAMMON: settings_pb2.GAME_GAMMON,
}
SET_UPS = {
    SetUp.STANDARD: settings_pb2.SETUP_STANDARD,
    SetUp.NACKGAMMON: settings_pb2.SETUP_NACKGAMMON,
    SetUp.LONGGAMMON: settings_pb2.SETUP_LONGGAMMON,
    SetUp.HYPERGAMMON: settings_pb2.SETUP_HYPERGAMMON,
}
CENTRES = {Centres.FOUR: settings_pb2.CENTRES_FOUR, Centres.TWO: settings_pb2.CENTRES_TWO}
RUNNER_RELEASES = {
    RunnerRelease.OWN: settings_pb2.RUNNER_RELEASE_OWN,
    RunnerRelease.BOTH: settings_pb2.RUNNER_RELEASE_BOTH,
}
PHASES = {
    Phase.CHOOSING: state_pb2.PHASE_CHOOSING,
    Phase.OPENING: state_pb2.PHASE_OPENING,
    Phase.TO_ROLL: state_pb2.PHASE_TO_ROLL,
    Phase.TO_PLAY: state_pb2.PHASE_TO_PLAY,
    Phase.DOUBLED: state_pb2.PHASE_DOUBLED,
    Phase.BEAVERED: state_pb2.PHASE_BEAVERED,
    Phase.RACCOONED: state_pb2.PHASE_RACCOONED,
    Phase.RESIGNING: state_pb2.PHASE_RESIGNING,
    Phase.SETTLING: state_pb2.PHASE_SETTLING,
    Phase.OVER: state_pb2.PHASE_OVER,
}
CRAWFORDS = {
    None: state_pb2.CRAWFORD_UNSPECIFIED,
    Crawford.PENDING: state_pb2.CRAWFORD_PENDING,
    Crawford.NOW: state_pb2.CRAWFORD_NOW,
    Crawford.PLAYED: state_pb2.CRAWFORD_PLAYED,
}
PURPOSES = {
    Purpose.OPENING: state_pb2.DRAW_PURPOSE_OPENING,
    Purpose.TURN: state_pb2.DRAW_PURPOSE_TURN,
}
SCOPES = {Scope.GAME: action_pb2.FORFEIT_SCOPE_GAME, Scope.MATCH: action_pb2.FORFEIT_SCOPE_MATCH}
GAME_ENDS = {
    How.BOARD: fact_pb2.GAME_END_PLAYED,
    How.DROP: fact_pb2.GAME_END_DROPPED,
    How.RESIGNATION: fact_pb2.GAME_END_RESIGNED,
    How.SETTLEMENT: fact_pb2.GAME_END_SETTLED,
    How.FORFEIT: fact_pb2.GAME_END_FORFEITED,
    How.LAPSE: fact_pb2.GAME_END_LAPSED,
    How.AGREEMENT: fact_pb2.GAME_END_AGREED,
    How.VOID: fact_pb2.GAME_END_VOIDED,
}

GAME_OF: dict[int, GameId] = {number: game for game, number in GAMES.items()}
SET_UP_OF: dict[int, SetUp] = {number: set_up for set_up, number in SET_UPS.items()}
CENTRES_OF: dict[int, Centres] = {number: centres for centres, number in CENTRES.items()}
RUNNER_RELEASE_OF: dict[int, RunnerRelease] = {number: release for release, number in RUNNER_RELEASES.items()}
PHASE_OF: dict[int, Phase] = {number: phase for phase, number in PHASES.items()}
CRAWFORD_OF = {number: crawford for crawford, number in CRAWFORDS.items()}
SCOPE_OF: dict[int, Scope] = {number: scope for scope, number in SCOPES.items()}
HOW_OF: dict[int, How] = {number: how for how, number in GAME_ENDS.items()}
