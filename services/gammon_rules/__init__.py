"""The rules service."""
