"""`gammon play`: people at the terminal. What is asked, read and told is pure; the rest is as thin as it can be."""
