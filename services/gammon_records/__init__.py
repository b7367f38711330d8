"""Match records in and out."""
