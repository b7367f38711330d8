"""Who may call what: the table and the contract say the same."""

from gammon.match.v1 import match_service_pb2
from gammon_match.service.roles import EVERYBODY, ROLES
from gammon_shell.roles import gaps


def test_every_method_of_the_contract_has_its_roles() -> None:
    assert gaps(ROLES, [match_service_pb2.DESCRIPTOR]) == ()


def test_no_method_is_open_to_roles_that_do_not_exist() -> None:
    assert all(roles and roles <= EVERYBODY for roles in ROLES.values())
