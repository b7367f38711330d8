"""The `gammon` command."""
