"""Opening queries with judged products: this product's retrieval and first answer beside stock full-text search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
from pydantic import BaseModel, ConfigDict, Field

from catalog.search import ProductIndex
from catalog.stock import StockIndex
from evals.errors import EvaluationError
from evals.progress import bar
from evals.retrieval.measures import ndcg_at_k, recall_at_k, relevant
from evals.retrieval.paired import Comparison, compare
from evals.retrieval.qrels import Qrels
from graph.agent import ShoppingAgent

TOP, DEEP = 10, 100
"""Depths at which order and recall are measured."""


class Ranked(BaseModel):
    """What a system gives for a query: the products it shows, best first, and its ranking as deep as it goes."""

    model_config = ConfigDict(frozen=True)

    shown: list[str]
    ranking: list[str]


Ranker = Callable[[str], Ranked]
"""A system under test: a query to its products."""


class SystemScores(BaseModel):
    """One system over all queries, those without a relevant product counting 0."""

    model_config = ConfigDict(frozen=True)

    ndcg_at_10: float
    recall_at_100: float
    ndcg_over: Comparison | None = Field(default=None, description="nDCG@10 over that of the system it is set against.")
    recall_over: Comparison | None = None


class QueryScores(BaseModel):
    """One query: the figures of each system by its name."""

    model_config = ConfigDict(frozen=True)

    query: str
    relevant: int
    ndcg_at_10: dict[str, float]
    recall_at_100: dict[str, float]


class QueryReport(BaseModel):
    """What `eval queries` prints."""

    model_config = ConfigDict(frozen=True)

    revision: str
    catalog: str
    catalog_sha256: str
    catalog_products: int
    qrels: str
    qrels_sha256: str
    queries: int
    answerable: int = Field(description="Queries with a relevant product among the judged.")
    judged: int = Field(description="Different products that were judged.")
    missing: int = Field(description="Judged products that this catalog lacks; they count as not found.")
    seed: int
    against: str | None
    systems: dict[str, SystemScores]
    per_query: list[QueryScores]


def index_ranker(index: ProductIndex) -> Ranker:
    """Return the ranking of an index alone."""

    def rank(query: str) -> Ranked:
        found = index.parent_asins(index.search(query, DEEP).ids)
        return Ranked(shown=found[:TOP], ranking=found)

    return rank


def agent_ranker(index: ProductIndex) -> Ranker:
    """Return the first answer of a whole conversation under the policy `full`, and the ranking behind it."""
    agent = ShoppingAgent(catalog=index, policy="full", diagnostics=True)

    def rank(query: str) -> Ranked:
        session = f"query {query}"
        agent.reset(session)
        answer = agent.respond(session, query)
        shown = [row["parent_asin"] for row in answer["recommendations"]]
        ranking = agent.diagnose(session)["ranked"]
        agent.reset(session)
        return Ranked(shown=shown, ranking=ranking)

    return rank


def score_queries(
    qrels: Qrels, systems: dict[str, Ranker], against: str | None, seed: int = 0
) -> tuple[dict[str, SystemScores], list[QueryScores]]:
    """Run every query on every system; `against` names the system that the others are compared with."""
    rows = []
    with bar("queries", len(qrels.queries)) as advance:
        for query, judgments in qrels.queries.items():
            found = {name: rank(query) for name, rank in systems.items()}
            rows.append(
                QueryScores(
                    query=query,
                    relevant=len(relevant(judgments)),
                    ndcg_at_10={name: ndcg_at_k(r.shown, judgments, TOP) for name, r in found.items()},
                    recall_at_100={
                        name: recall_at_k(ranked.ranking, judgments, DEEP) for name, ranked in found.items()
                    },
                )
            )
            advance()
    return {name: _summary(name, rows, against, seed) for name in systems}, rows


def _summary(name: str, rows: Sequence[QueryScores], against: str | None, seed: int) -> SystemScores:
    ndcg, recall = [row.ndcg_at_10[name] for row in rows], [row.recall_at_100[name] for row in rows]
    over = against if against != name else None
    return SystemScores(
        ndcg_at_10=sum(ndcg) / len(rows),
        recall_at_100=sum(recall) / len(rows),
        ndcg_over=compare(ndcg, [row.ndcg_at_10[over] for row in rows], seed) if over else None,
        recall_over=compare(recall, [row.recall_at_100[over] for row in rows], seed) if over else None,
    )


def lost(rows: Sequence[QueryScores], system: str, against: str) -> list[QueryScores]:
    """Return the queries on which a system is worse than another by nDCG@10, the worst first."""
    differences = {row.query: row.ndcg_at_10[system] - row.ndcg_at_10[against] for row in rows}
    worse = [row for row in rows if differences[row.query] < 0]
    return sorted(worse, key=lambda row: differences[row.query])


def stock_ranker(file: Path) -> tuple[Ranker, Callable[[], None]]:
    """Return the ranking of stock full-text search over the same products, and what releases its file.

    Its index is built beside the catalog at first use; raises `EvaluationError` when it cannot be.
    """
    try:
        stock = StockIndex(file)
    except (OSError, duckdb.Error) as error:
        raise EvaluationError(
            f"{file}: the stock index beside it cannot be built ({error}); copy the catalog to a folder of your own"
        ) from error
    return index_ranker(stock), stock.close
