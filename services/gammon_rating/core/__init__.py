"""The rating service: core."""
