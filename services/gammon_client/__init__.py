"""Typed asyncio client of the match and rules services."""
