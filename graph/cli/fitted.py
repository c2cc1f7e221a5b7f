"""Constants that were estimated, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.cli.output import write
from graph.cli.scores import print_table

if TYPE_CHECKING:
    from evals.fitting.commands import FitReport

CONSTANT_COLUMNS = ("constant", "present", "fitted", "std. error")
CATALOG_COLUMNS = ("catalog", "", "products", "turns", "before", "after")
ANSWER_COLUMNS = ("constant", "present", "counted", "cases")


def print_fit(report: FitReport) -> None:
    """Print constants before and after, how likely the wanted products are by either, and the chances of an answer."""
    draws = " and ".join(report.draws)
    write(f"P1 · confident · {report.n} sessions a draw ({draws}), seed {report.seed} · penalty {report.penalty:g}")
    rows = []
    for row in report.constants:
        fitted, error = ("held", "–") if row.error is None else (f"{row.fitted:g}", f"{row.error:.2g}")
        rows.append((row.name, f"{row.present:g}", fitted, error))
    print_table(CONSTANT_COLUMNS, rows)
    write(f"scale: fitted scores spread {report.scale:.2f} times as far as present ones")
    write("mean log-likelihood of the wanted product, nats a turn:")
    stores = []
    for store in report.catalogs:
        use = "fitted on" if store.fitted_on else "checked" + (", falls" if store.after < store.before else "")
        name = f"{store.catalog} {store.catalog_sha256[:8]}"
        stores.append(
            (name, use, f"{store.products:,}", f"{store.turns:,}", f"{store.before:.4f}", f"{store.after:.4f}")
        )
    print_table(CATALOG_COLUMNS, stores)
    write("answers counted (shoppers of P1 know few attributes; people know more):")
    print_table(
        ANSWER_COLUMNS, [(row.name, f"{row.present:g}", f"{row.counted:g}", str(row.cases)) for row in report.answers]
    )
