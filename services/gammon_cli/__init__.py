"""The gammon command."""
