"""The rating service: adapters."""
