"""Who may ask the law. Reading it is for everybody with credentials; a test walks the contract."""

from gammon_shell.roles import RoleTable

EVERYBODY = frozenset({"player", "spectator", "operator", "auditor", "service"})
_SERVICE = "/gammon.rules.v1.RulesService/"

ROLES: RoleTable = {
    _SERVICE + name: EVERYBODY
    for name in (
        "ListGames",
        "Begin",
        "SetUp",
        "Rule",
        "RuleStream",
        "ListLegalPlays",
        "BatchListLegalPlays",
        "ListNextSteps",
        "ReadPlay",
        "DrawPosition",
    )
}
