"""The auditor: recomputes everything, trusts nothing."""
