"""Pure proofs: envelope hashing and the chain of events."""
