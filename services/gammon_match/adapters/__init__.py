"""Match service: adapters."""
