"""Which roles may call which method: deny by default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

# A proto file's descriptor; its class depends on the protobuf implementation.
Described: TypeAlias = Any

# Full method name `/package.Service/Method` -> the roles that may call it.
RoleTable: TypeAlias = Mapping[str, frozenset[str]]

# A method with this entry is served without credentials.
ANYONE: frozenset[str] = frozenset({"*"})

# Served without credentials, without an entry and without a log line.
OPEN_SERVICES = frozenset(
    {"grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"}
)


def methods(file: Described) -> tuple[str, ...]:
    """Full names of all methods of all services in a proto file."""
    return tuple(
        f"/{service.full_name}/{method.name}"
        for service in file.services_by_name.values()
        for method in service.methods
    )


def gaps(table: RoleTable, files: Iterable[Described]) -> tuple[str, ...]:
    """Methods without an entry, and entries without a method; empty when the table fits the contracts."""
    served = {name for file in files for name in methods(file)}
    return tuple(sorted(served.symmetric_difference(table)))
