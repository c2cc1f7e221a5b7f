"""Errors of the evaluation; all of them are `ShopgraphError`, so the command line prints them and exits 1."""

from __future__ import annotations

from catalog.errors import ShopgraphError


class EvaluationError(ShopgraphError):
    """An evaluation was asked for that cannot be run: an unknown protocol, too few products."""


class SessionFileError(EvaluationError):
    """A session file is missing, malformed, or belongs to another catalog or protocol."""


class TargetLeakError(EvaluationError):
    """A message to the agent would have carried the id of the wanted product."""


class AgentUnavailableError(EvaluationError):
    """The agent under test cannot be loaded or does not start."""


class InvalidAnswerError(EvaluationError):
    """An agent's answer does not have the contract's shape; it counts as a miss for that turn."""
