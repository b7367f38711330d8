"""Who may ask for ratings: everybody with credentials. A test walks the contract."""

from gammon_shell.roles import RoleTable

EVERYBODY = frozenset({"player", "spectator", "operator", "auditor", "service"})
_SERVICE = "/gammon.rating.v1.RatingService/"

ROLES: RoleTable = {
    _SERVICE + "GetRating": EVERYBODY,
    _SERVICE + "ListLeaders": EVERYBODY,
    _SERVICE + "ListRatingChanges": EVERYBODY,
}
