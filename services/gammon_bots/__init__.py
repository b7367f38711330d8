"""Players that act through the client."""
