"""Results of an evaluation, as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from graph.cli.output import draw, on_terminal, write
from graph.cli.text import one_line

if TYPE_CHECKING:
    from evals.commands import SpeedReport
    from evals.recall import RecallReport
    from evals.report import Bound, RunReport
    from evals.retrieval.paired import Comparison
    from evals.retrieval.queries import QueryReport
    from evals.scoring import Interval, Scores
    from evals.speed.measure import SpeedComparison
    from evals.speed.paired import Ratio
    from evals.understanding.report import UnderstandingReport

LOSSES = 10
"""Turns without the target that are printed; all of them are in report.json and report.html."""

QUERY_COLUMNS = ("", "nDCG@10", "recall@100")
QUERY_COMPARISON = ("nDCG ratio", "95% interval", "p", "better / worse", "recall ratio", "95% interval")
SCORE_COLUMNS = ("", "sessions", "HR@10", "MRR", "MTTC", "efficiency", "top-1", "score")


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under columns: drawn on a terminal, aligned by spaces in a pipe. The first column is text."""
    if on_terminal():
        from rich.table import Table
        from rich.text import Text

        table = Table()
        for position, name in enumerate(columns):
            table.add_column(Text(name), justify="right" if position else "left")
        for row in rows:
            table.add_row(*(Text(one_line(cell)) for cell in row))
        draw(table)
        return
    lines = [tuple(columns), *(tuple(one_line(cell) for cell in row) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    for first, *rest in lines:
        cells = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        write("  ".join((first.ljust(widths[0]), *cells)).rstrip())


def print_report(report: RunReport) -> None:
    """Print what a run scored: overall, by scenario, beside its bound, with speed and faults."""
    metrics, config = report.metrics, report.config
    write(f"{config.protocol} · {config.agent} · {config.policy} · {report.catalog_products:,} products")
    rows = [_scores("all", metrics.overall), *(_scores(name, row) for name, row in metrics.per_scenario.items())]
    rows += [_scores(name, row) for groups in metrics.per_group.values() for name, row in groups.items()]
    if report.bound is not None:
        rows.append(_scores("bound", report.bound.overall))
    print_table(SCORE_COLUMNS, rows)
    write(f"technical score {metrics.overall.technical_score:.4f}, {_interval(metrics.interval)}")
    timing = metrics.latency
    if timing.p50_ms is not None and timing.p95_ms is not None:
        write(f"respond: p50 {timing.p50_ms:.1f} ms, p95 {timing.p95_ms:.1f} ms over {timing.turns:,} turns")
    if metrics.recall is not None:
        _print_recall(metrics.recall)
    write(f"tokens {metrics.tokens.total:,} · faults {len(metrics.faults)} · {report.seconds:.0f} s")


def _print_recall(report: RecallReport) -> None:
    from evals.recall import RECALL_COLUMNS, loss_words, recall_table

    print_table(RECALL_COLUMNS, recall_table(report))
    write(f"opening query: recall@500 {report.opening_at_500:.3f}")
    kinds = ", ".join(f"{kind} {count}" for kind, count in Counter(loss.kind for loss in report.losses).most_common())
    write(f"turns that lost the target: {kinds or 'none'}")
    for loss in report.losses[:LOSSES]:
        write(f"  {loss.session_id} {loss_words(loss)}")
    if len(report.losses) > LOSSES:
        write(f"  and {len(report.losses) - LOSSES} more in report.json")


def print_bound(bound: Bound) -> None:
    """Print the bound of a session file under one policy."""
    write(f"bound, {bound.policy}: {bound.overall.technical_score:.4f}, {_interval(bound.interval)}")
    rows = [_scores("all", bound.overall), *(_scores(name, row) for name, row in bound.per_scenario.items())]
    print_table(SCORE_COLUMNS, rows)


def print_speed(report: SpeedReport) -> None:
    """Print times of a turn, the share of each node, what a long conversation stores, and other engines beside."""
    speed, stored = report.speed, report.checkpoints
    if speed is not None:
        write(f"{speed.catalog_products:,} products, {speed.sessions} sessions, policy {speed.policy}")
        if speed.respond.p50_ms is not None and speed.respond.p95_ms is not None:
            write(f"respond: p50 {speed.respond.p50_ms:.1f} ms, p95 {speed.respond.p95_ms:.1f} ms")
        print_table(
            ("node", "p50 ms", "p95 ms", "share"),
            [(row.node, f"{row.p50_ms:.2f}", f"{row.p95_ms:.2f}", f"{row.share:.0%}") for row in speed.nodes],
        )
    if stored is not None:
        first, last = stored.bytes_per_turn[0], stored.bytes_per_turn[-1]
        grows = f"growing by {stored.growth:,.0f} a turn"
        write(f"checkpoints: {first:,} bytes at turn 1, {last:,} at turn {stored.turns}, {grows}")
    if report.comparison is not None:
        _print_comparison(report.comparison)


def _print_comparison(comparison: SpeedComparison) -> None:
    write(f"{comparison.catalog_products:,} products, queries interleaved, ratios of medians with 95% intervals")
    print_table(
        ("system", "words", "queries", "p50 ms", "p95 ms", "CPU p50 ms", "times the retrieval", "times the turn"),
        [
            (
                row.system,
                str(row.words),
                str(row.queries),
                f"{row.p50_ms:.3f}",
                f"{row.p95_ms:.3f}",
                f"{row.cpu_p50_ms:.3f}",
                _ratio(row.of_retrieval),
                _ratio(row.of_turn),
            )
            for row in comparison.timings
        ],
    )
    print_table(
        ("index", "size", "built in", "known-item MRR"),
        [
            (
                row.name,
                _size(row.bytes),
                "-" if row.build_seconds is None else f"{row.build_seconds:.0f} s",
                "-" if row.known_item_mrr is None else f"{row.known_item_mrr:.3f}",
            )
            for row in comparison.engines
        ],
    )
    if comparison.throughput:
        print_table(
            ("kind", "processes", "a second", "resident", "without files", "highest"),
            [
                (
                    row.kind,
                    str(row.processes),
                    f"{row.per_second:,.0f}",
                    *map(_size, (row.memory.resident, row.memory.own, row.memory.highest)),
                )
                for row in comparison.throughput
            ],
        )
    for line in _comparison_lines(comparison):
        write(line)


def _comparison_lines(comparison: SpeedComparison) -> Iterator[str]:
    if (build := comparison.build) is not None:
        yield f"made in {build.seconds:.0f} s, at most {_size(build.highest_memory)} of memory"
    if (cold := comparison.cold_start) is not None:
        parts = f"import {cold.import_s:.2f}, open {cold.open_s:.2f}, first turn {cold.first_turn_s:.2f}"
        yield f"cold start: {cold.total_s:.2f} s ({parts}), median of {cold.processes} processes"
    if (found := comparison.rankings) is not None:
        yield (
            f"rankings of {found.queries} queries: overlap@100 {found.overlap_at_100:.4f}, overlap@10 "
            f"{found.overlap_at_10:.4f} with exact BM25F; {found.violations} of {found.filtered:,} filtered results "
            f"violate their filter; {found.mean_tokens:.0f} words a product"
        )


def _ratio(ratio: Ratio) -> str:
    return f"{ratio.value:.2f} ({ratio.low:.2f} to {ratio.high:.2f})"


def _size(count: int | None) -> str:
    return "-" if count is None else f"{count / 1e6:,.0f} MB"


def print_queries(report: QueryReport, worst: int) -> None:
    """Print how judged queries were ranked, beside the other system, with the `worst` that were lost to it."""
    from evals.retrieval.queries import lost

    write(
        f"{report.queries} queries, {report.answerable} with a relevant product; {report.catalog_products:,} products"
    )
    if report.missing:
        write(f"{report.missing} of {report.judged} judged products are not in this catalog")
    compared = QUERY_COMPARISON if report.against else ()
    rows = []
    for name, scores in report.systems.items():
        over = [*_over(scores.ndcg_over, tested=True), *_over(scores.recall_over, tested=False)]
        row = (name, f"{scores.ndcg_at_10:.4f}", f"{scores.recall_at_100:.4f}", *over)
        rows.append((*row, *[""] * (len(QUERY_COLUMNS) + len(compared) - len(row))))
    print_table((*QUERY_COLUMNS, *compared), rows)
    if report.against is None:
        return
    for name in report.systems:
        for query in lost(report.per_query, name, report.against)[:worst]:
            own, other = query.ndcg_at_10[name], query.ndcg_at_10[report.against]
            write(f"{name} lost {one_line(query.query)!r}: {own:.3f}, {report.against} {other:.3f}")


def _over(comparison: Comparison | None, tested: bool) -> list[str]:
    if comparison is None or comparison.ratio is None:
        return []
    interval = f"{comparison.low:.3f} to {comparison.high:.3f}"
    counts = [f"{comparison.p:.4f}", f"{comparison.better} / {comparison.worse}"] if tested else []
    return [f"{comparison.ratio:.3f}", interval, *counts]


def print_understanding(report: UnderstandingReport, misses: int) -> None:
    """Print how messages were read, file by file, with at most `misses` misses of each half that may be shown."""
    from evals.understanding.table import miss_lines, score_table, share_table, time_line, word_table

    without = f", without {', '.join(report.without)}" if report.without else ""
    write(f"{report.catalog_products:,} products{without}")
    for file in report.files:
        rows = ", ".join(f"{half} {scores.rows}" for half, scores in file.halves.items())
        write(f"\n{file.file}: {file.kind}, rows {rows}")
        for table in (score_table(file), share_table(file)):
            if table.rows:
                print_table(table.columns, table.rows)
        for half, missed in file.misses.items():
            write(f"{min(misses, len(missed))} of {len(missed)} rows of the {half} half that were read otherwise:")
            for line in miss_lines(missed[:misses]):
                write(f"  {line}")
    if report.time is not None:
        write(f"\n{time_line(report.time)}")
    if report.turns is not None:
        write(f"\n{report.turns.file}: {report.turns.turns:,} turns, {report.turns.failed} failed")
        for error in report.turns.errors:
            write(f"  {error}")
        write(time_line(report.turns.time))
        print_table(*word_table(report.turns))


def _scores(name: str, scores: Scores) -> tuple[str, ...]:
    return (
        name,
        str(scores.sessions),
        f"{scores.hr_at_10:.3f}",
        f"{scores.mrr:.3f}",
        f"{scores.mttc:.2f}",
        f"{scores.efficiency:.3f}",
        f"{scores.exact_top1:.3f}",
        f"{scores.technical_score:.4f}",
    )


def _interval(interval: Interval) -> str:
    return f"{interval.level:.0%} interval {interval.low:.4f} to {interval.high:.4f}"
