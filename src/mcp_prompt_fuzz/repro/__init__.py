"""A finding as a folder that a maintainer can run, knowing nothing of this project."""
