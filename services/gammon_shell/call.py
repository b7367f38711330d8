"""The call being served: who makes it and what identifies it, reachable from anywhere inside the handler."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass

from gammon_shell.identity import Principal

# Metadata key by which a call's id travels from service to service.
CALL_ID_KEY = "x-call-id"


@dataclass(frozen=True, slots=True)
class Call:
    """One call in progress.

    call_id: given by the caller or made here. method: full name, `/package.Service/Method`.
    principal: None only for methods open to anyone. fields: the request's logged fields, by name.
    """

    call_id: str
    method: str
    principal: Principal | None
    fields: Mapping[str, str]


CURRENT: ContextVar[Call | None] = ContextVar("gammon_shell_call", default=None)


def current_principal() -> Principal:
    """Who makes the call being served. Raises LookupError outside a call, or in one open to anyone."""
    call = CURRENT.get()
    if call is None or call.principal is None:
        raise LookupError("no principal: not inside a call, or the method is open to anyone")
    return call.principal


def call_metadata() -> tuple[tuple[str, str], ...]:
    """Metadata for calls made while serving this one, so that their log lines share its id; empty outside a call."""
    call = CURRENT.get()
    return () if call is None else ((CALL_ID_KEY, call.call_id),)
