"""Who may ask the law. A method without a line here is refused; a test walks the contract.

Reading the law is for everybody with credentials. Rulings are what a match is made of: they are given to services.
"""

from gammon_shell.roles import RoleTable

PLAYER, SPECTATOR, OPERATOR, AUDITOR, SERVICE = "player", "spectator", "operator", "auditor", "service"
EVERYBODY = frozenset({PLAYER, SPECTATOR, OPERATOR, AUDITOR, SERVICE})
SERVICES = frozenset({SERVICE})
_SERVICE = "/gammon.rules.v1.RulesService/"

ROLES: RoleTable = {
    _SERVICE + "ListGames": EVERYBODY,
    _SERVICE + "Begin": EVERYBODY,
    _SERVICE + "SetUp": EVERYBODY,
    _SERVICE + "Rule": SERVICES,
    _SERVICE + "RuleStream": SERVICES,
    _SERVICE + "ListLegalPlays": EVERYBODY,
    _SERVICE + "BatchListLegalPlays": EVERYBODY,
    _SERVICE + "ListNextSteps": EVERYBODY,
    _SERVICE + "ReadPlay": EVERYBODY,
    _SERVICE + "DrawPosition": EVERYBODY,
}
