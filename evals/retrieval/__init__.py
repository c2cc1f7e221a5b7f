"""How well products are found for queries that people have judged: rankings beside relevance judgments."""
