"""A typed asyncio client."""
