"""Libraries driven by scripts in environments of their own."""
