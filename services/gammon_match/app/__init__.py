"""Match service: app."""
