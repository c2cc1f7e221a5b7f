"""report.html: one self-contained page about a run, readable on a phone. Every text in it is escaped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files

from catalog.search import ProductIndex
from evals.chart import hit_curve_svg
from evals.recall import RECALL_COLUMNS, RecallReport, loss_words, recall_table
from evals.report import RunReport
from evals.scoring import Scores, TurnFault
from evals.sessions import Session
from evals.stages import STAGES, lost_at
from evals.traces import SessionTrace, TurnTrace, worst

WORST_SESSIONS = 20
"""Sessions that the page shows as conversations."""

_TITLED = 3
"""Shown products that a conversation names; the rest are counted."""


def render(
    report: RunReport, traces: Sequence[SessionTrace], sessions: Sequence[Session], index: ProductIndex
) -> str:  # fmt: skip
    """Return the page of a run as HTML."""
    css = files("evals").joinpath("data/report.css").read_text(encoding="utf-8")
    title = f"{report.config.protocol}: {report.config.agent} ({report.config.policy})"
    chosen = worst(traces, WORST_SESSIONS)
    titles = _titles(index, chosen, sessions)
    body = [
        f"<h1>{escape(title)}</h1>",
        _provenance(report),
        _tiles(report),
        _section("Beside the bound and published figures", _comparison(report)),
        _section("Hits by turn", hit_curve_svg(_curves(report))),
        _section("By scenario", _scenarios(report)),
        *(_section(f"By {grouping}", _groups(scores)) for grouping, scores in report.metrics.per_group.items()),
        _section("Where targets are lost", _losses(traces)),
        _section("Recall of the target by turn and stage", _recall(report.metrics.recall)),
        _section("Faults", _faults(report.metrics.faults)),
        _section(f"The {len(chosen)} sessions that cost most", _conversations(chosen, sessions, titles)),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{css}</style></head><body>{''.join(body)}</body></html>\n"
    )


def _section(heading: str, content: str) -> str:
    return f"<section><h2>{escape(heading)}</h2>{content}</section>"


def _provenance(report: RunReport) -> str:
    header, config = report.session_file, report.config
    clean = ", clean cards" if header.clean else ""
    lines = [
        f"{header.sessions} sessions, targets drawn by {header.draw}, seed {header.seed}{clean}; "
        f"{report.catalog_products:,} products of {config.catalog}; {config.jobs} jobs, {report.seconds:.1f} s",
        f"catalog {report.catalog_sha256[:16]} · sessions {report.sessions_sha256[:16]} · code {report.revision[:16]}",
    ]
    return f'<p class="soft">{escape(lines[0])}</p><p class="mono soft">{escape(lines[1])}</p>'


def _tiles(report: RunReport) -> str:
    metrics, overall = report.metrics, report.metrics.overall
    time, interval = metrics.latency, metrics.interval
    tiles = [
        ("technical score", f"{overall.technical_score:.3f}", f"95%: {interval.low:.3f}–{interval.high:.3f}"),
        ("HR@10", f"{overall.hr_at_10:.3f}", f"{overall.hits} of {overall.sessions}"),
        ("MRR", f"{overall.mrr:.3f}", f"exact top-1 {overall.exact_top1:.3f}"),
        ("MTTC", f"{overall.mttc:.2f}", "turns; a miss is 11"),
        ("p50 / p95", f"{_ms(time.p50_ms)} / {_ms(time.p95_ms)}", f"ms over {time.turns} turns"),
        ("tokens", f"{metrics.tokens.total:,}", f"{len(metrics.faults)} faults"),
    ]  # fmt: skip
    cells = (
        f'<div class="tile"><span class="soft">{escape(name)}</span><b>{escape(value)}</b>'
        f'<span class="soft">{escape(note)}</span></div>'
        for name, value, note in tiles
    )
    return f'<section><div class="tiles">{"".join(cells)}</div></section>'


def _comparison(report: RunReport) -> str:
    rows = [_score_row(f"this run ({report.config.agent})", report.metrics.overall, own=True)]
    if report.bound:
        rows.append(_score_row(f"bound, {report.bound.policy}", report.bound.overall))
    rows += [
        _row([f"{reference.name} ({reference.note})" if reference.note else reference.name,
              *(_figure(value) for value in (reference.technical_score, reference.hr_at_10, reference.mrr)),
              _figure(reference.mttc, 2), _figure(reference.exact_top1)])
        for reference in report.references
    ]  # fmt: skip
    note = '<p class="soft">Published figures come from other catalogs and are marks to look at.</p>'
    return _table(["", "score", "HR@10", "MRR", "MTTC", "top-1"], rows) + note


def _scenarios(report: RunReport) -> str:
    bounds: Mapping[str, Scores] = report.bound.per_scenario if report.bound else {}
    rows = []
    for name, scores in report.metrics.per_scenario.items():
        bound = bounds.get(name)
        beside = [_figure(bound.technical_score if bound else None)]
        rows.append(_score_row(f"{name} ({scores.sessions})", scores, beside=beside))
    return _table(["", "score", "bound", "HR@10", "MRR", "MTTC", "top-1"], rows)


def _groups(scores: Mapping[str, Scores]) -> str:
    rows = [_score_row(f"{name} ({score.sessions})", score) for name, score in scores.items()]
    return _table(["", "score", "HR@10", "MRR", "MTTC", "top-1"], rows)


def _losses(traces: Sequence[SessionTrace]) -> str:
    """Count, over the last turn of each session that missed, the first stage that no longer held the target."""
    missed = [trace for trace in traces if trace.outcome.turn is None and trace.turns]
    if not missed:
        return "<p>No session missed.</p>"
    counts = Counter(lost_at(trace.turns[-1].stage_ranks) or "shown, but not counted" for trace in missed)
    rows = [
        _row([stage, str(counts[stage])]) for stage in (*STAGES, "shown", "shown, but not counted") if counts[stage]
    ]
    note = f'<p class="soft">First stage without the target, at the last turn of the {len(missed)} missed sessions.</p>'
    return _table(["stage", "sessions"], rows) + note


def _recall(report: RecallReport | None) -> str:
    """Show what each stage kept of the targets, and every turn that lost one."""
    if report is None:
        return "<p>The agent tells nothing of its stages.</p>"
    note = (
        f'<p class="soft">Recall@500 of the opening query: {report.opening_at_500:.3f}. Ranks by full text, then by '
        "evidence; a turn counts the sessions that came to it.</p>"
    )
    rows = [_row(row, own=row[0] == "all") for row in recall_table(report)]
    if not report.losses:
        return _table(RECALL_COLUMNS, rows) + note + "<p>No turn lost the target.</p>"
    losses = [
        f'<tr><td class="mono">{escape(loss.session_id)}</td><td>{escape(loss_words(loss))}</td>'
        f'<td class="text">{escape(loss.message[:200])}</td></tr>'
        for loss in report.losses
    ]
    listed = _table(["session", "lost at", "what the shopper had said"], losses)
    return (
        f"{_table(RECALL_COLUMNS, rows)}{note}<details><summary>{len(losses)} turns lost the target</summary>"
        f"{listed}</details>"
    )


def _faults(faults: Sequence[TurnFault]) -> str:
    if not faults:
        return "<p>None: every turn was answered in time and in shape.</p>"
    rows = [
        f'<tr><td class="mono">{escape(fault.session_id)}</td><td>{fault.turn}</td>'
        f'<td>{escape(fault.kind)}</td><td class="text">{escape(fault.text[:300])}</td></tr>'
        for fault in faults[:50]
    ]
    more = f'<p class="soft">… and {len(faults) - 50} more in report.json</p>' if len(faults) > 50 else ""
    return _table(["session", "turn", "kind", "what"], rows) + more


def _conversations(
    chosen: Sequence[SessionTrace], sessions: Sequence[Session], titles: Mapping[str, str]
) -> str:  # fmt: skip
    if not chosen:
        return "<p>Every session hit with the target in first place at turn 1.</p>"
    by_id = {session.session_id: session for session in sessions}
    return "".join(_conversation(trace, by_id[trace.outcome.session_id], titles) for trace in chosen)


def _conversation(trace: SessionTrace, session: Session, titles: Mapping[str, str]) -> str:
    outcome = trace.outcome
    ending = (
        f'<span class="hit">hit at turn {outcome.turn}, rank {outcome.rank}</span>'
        if outcome.turn
        else '<span class="miss">missed</span>'
    )
    target = escape(titles.get(session.target, session.target))
    hidden = session.model_dump(exclude={"session_id", "scenario", "target", "user_profile"})
    facts = "".join(f'<span class="tag">{escape(f"{name}: {value}")}</span>' for name, value in _flat(hidden))
    turns = "".join(_turn(turn, session.target, titles) for turn in trace.turns)
    return (
        f"<details><summary>{ending} · {escape(session.scenario)} · {target}</summary>"
        f'<p class="note">{facts}</p>{turns}</details>'
    )


def _turn(turn: TurnTrace, target: str, titles: Mapping[str, str]) -> str:
    parts = [f'<div class="say shopper">{turn.turn}. {escape(turn.message)}</div>']
    if turn.reply is not None:
        shown = [f"{'★ ' if asin == target else ''}{titles.get(asin, asin)}" for asin in turn.shown[:_TITLED]]
        more = f" … {len(turn.shown)} in all" if len(turn.shown) > _TITLED else ""
        listed = "".join(f"<br>• {escape(title)}" for title in shown)
        parts.append(
            f'<div class="say agent">{escape(turn.reply)}<span class="soft">{listed}{escape(more)}</span></div>'
        )
    parts += [f'<p class="note miss">{escape(f"{fault.kind}: {fault.text[:300]}")}</p>' for fault in turn.faults]
    ranks = " → ".join(f"{stage} {rank or '–'}" for stage, rank in turn.stage_ranks.items())
    notes = [f"target: {ranks}", f"asks: {turn.question or 'nothing'}"]
    notes += [f"query: {turn.query}"] if turn.query else []
    notes += [f"holds: {'; '.join(map(str, turn.constraints))}"] if turn.constraints else []
    notes += [] if turn.counts else ["a hit does not count yet"]
    parts.append(f'<p class="note">{escape(" · ".join(notes))}</p>')
    return "".join(parts)


def _titles(
    index: ProductIndex, chosen: Sequence[SessionTrace], sessions: Sequence[Session]
) -> dict[str, str]:  # fmt: skip
    """Look up the titles that the conversations name."""
    played = {trace.outcome.session_id for trace in chosen}
    wanted = [session.target for session in sessions if session.session_id in played]
    wanted += [asin for trace in chosen for turn in trace.turns for asin in turn.shown[:_TITLED]]
    ids = [number for number in index.ids(list(dict.fromkeys(wanted))) if number is not None]
    return {product.parent_asin: product.title or "(no title)" for product in index.products(ids)}


def _curves(report: RunReport) -> list[tuple[str, str, list[float]]]:
    curves = [("this run", "var(--agent)", report.metrics.hit_curve)]
    if report.bound:
        curves.append((f"bound, {report.bound.policy}", "var(--bound)", report.bound.hit_curve))
    return curves


def _flat(hidden: Mapping[str, object]) -> Iterable[tuple[str, object]]:
    for name, value in hidden.items():
        for item in value if isinstance(value, (list, tuple)) else [value]:
            yield name, item


def _score_row(name: str, scores: Scores, own: bool = False, beside: Sequence[str] = ()) -> str:
    figures = [_figure(scores.hr_at_10), _figure(scores.mrr), _figure(scores.mttc, 2), _figure(scores.exact_top1)]
    return _row([name, _figure(scores.technical_score), *beside, *figures], own)


def _row(cells: Sequence[str], own: bool = False) -> str:
    inside = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f'<tr class="own">{inside}</tr>' if own else f"<tr>{inside}</tr>"


def _table(heads: Sequence[str], rows: Iterable[str]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    return f'<div class="wide"><table><tr>{head}</tr>{"".join(rows)}</table></div>'


def _figure(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _ms(value: float | None) -> str:
    return _figure(value, 1)
