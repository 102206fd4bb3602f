"""Where a campaign's time goes, and how its cost grows."""
