"""Stored conversations: read back turn by turn, run again, compared, continued from where they stood."""
