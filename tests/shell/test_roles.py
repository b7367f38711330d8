"""The table of roles against the contract it stands for."""

from grpc_health.v1 import health_pb2

from gammon_shell.roles import ANYONE, gaps, methods

HEALTH = health_pb2.DESCRIPTOR


def test_methods_of_a_contract() -> None:
    assert {"/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch"} <= set(methods(HEALTH))


def test_gaps_are_missing_and_surplus_entries() -> None:
    fitting = dict.fromkeys(methods(HEALTH), ANYONE)
    assert gaps(fitting, [HEALTH]) == ()
    missing = {name: roles for name, roles in fitting.items() if not name.endswith("/Watch")}
    assert gaps(missing, [HEALTH]) == ("/grpc.health.v1.Health/Watch",)
    assert gaps(fitting | {"/a.B/C": ANYONE}, [HEALTH]) == ("/a.B/C",)
