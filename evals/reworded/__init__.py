"""Protocol P1 with every sentence written by hand, facts too: what the agent makes of words that no record has."""
