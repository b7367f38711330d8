"""Who may call what. A method without a line here is refused; a test walks the contract."""

from gammon_shell.roles import RoleTable

PLAYER, SPECTATOR, OPERATOR, AUDITOR, SERVICE = "player", "spectator", "operator", "auditor", "service"
EVERYBODY = frozenset({PLAYER, SPECTATOR, OPERATOR, AUDITOR, SERVICE})
# Nothing of a match is hidden from them.
OFFICIALS = frozenset({OPERATOR, AUDITOR, SERVICE})
_SERVICE = "/gammon.match.v1.MatchService/"

ROLES: RoleTable = {
    _SERVICE + "ListPresets": EVERYBODY,
    _SERVICE + "CreateMatch": frozenset({PLAYER, OPERATOR}),
    _SERVICE + "TakeSeat": frozenset({PLAYER}),
    _SERVICE + "SetPreferences": frozenset({PLAYER}),
    _SERVICE + "Act": frozenset({PLAYER}),
    _SERVICE + "PreviewAct": frozenset({PLAYER}),
    _SERVICE + "CommitDice": frozenset({PLAYER}),
    _SERVICE + "ContributeDraw": frozenset({PLAYER}),
    _SERVICE + "GetMatch": EVERYBODY,
    _SERVICE + "ListEvents": EVERYBODY,
    _SERVICE + "ListMatches": EVERYBODY,
    _SERVICE + "WatchMatch": EVERYBODY,
    _SERVICE + "WatchMatches": EVERYBODY,
    _SERVICE + "ReadFeed": frozenset({SERVICE, OPERATOR, AUDITOR}),
    _SERVICE + "ImportMatch": frozenset({OPERATOR}),
    _SERVICE + "DirectMatch": frozenset({OPERATOR}),
    _SERVICE + "TakeBack": frozenset({PLAYER}),
    _SERVICE + "PauseMatch": frozenset({PLAYER}),
    _SERVICE + "ClaimLapse": frozenset({PLAYER}),
    _SERVICE + "Rematch": frozenset({PLAYER}),
    _SERVICE + "InvitePlayer": frozenset({PLAYER, OPERATOR}),
}
