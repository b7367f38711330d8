"""One codec between contracts and engine values."""
