from __future__ import annotations

import duckdb

from catalog.engine import load_fts


def test_the_engine_draws_no_bar_into_the_output_of_a_command() -> None:
    with duckdb.connect() as connection:
        load_fts(connection)
        assert connection.execute("SELECT current_setting('enable_progress_bar')").fetchall() == [(False,)]
