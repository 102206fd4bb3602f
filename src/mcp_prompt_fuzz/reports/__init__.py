"""What a run leaves behind: its folder, its tables, and what other tools ingest."""
