"""The rating service: app."""
