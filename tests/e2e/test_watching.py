"""What the command tells of a turn: --trace on demand, a log on stderr by its variables, and no secrets in either."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.command import shopgraph

SAID = "zanzibar boots in navy under $75"
KEY = "sk-no-real-key-9731"
NODES = ["route", "canonicalize", "track", "retrieve", "filter", "rank", "clarify", "respond"]


def test_chat_traces_each_node_before_the_answer(sample_catalog: Path, tmp_path: Path) -> None:
    talk = shopgraph("chat", "--trace", "--catalog", sample_catalog, state=tmp_path, stdin=f"{SAID}\nnot black\n")
    assert (talk.code, talk.err) == (0, "")
    lines = talk.out.splitlines()
    assert [line.split()[0] for line in lines[:8]] == NODES
    assert all(" ms  " in line and " -> " in line for line in lines[:8])
    assert lines[8].startswith("Understood: ")
    assert [line.split()[0] for line in lines if " ms  " in line] == [*NODES, *NODES]


def test_ask_traces_and_gives_the_records_as_json(sample_catalog: Path, tmp_path: Path) -> None:
    plain = shopgraph("ask", SAID, "--catalog", sample_catalog, state=tmp_path)
    traced = shopgraph("ask", SAID, "--trace", "--catalog", sample_catalog, state=tmp_path)
    assert traced.out.splitlines()[8:-1] == plain.out.splitlines()[:-1]
    answer = json.loads(shopgraph("ask", SAID, "--trace", "--json", "--catalog", sample_catalog, state=tmp_path).out)
    assert [step["node"] for step in answer["steps"]] == NODES
    assert set(answer["steps"][0]) == {"node", "took_ms", "in", "decided", "why"}
    assert "steps" not in json.loads(shopgraph("ask", SAID, "--json", "--catalog", sample_catalog, state=tmp_path).out)


@pytest.mark.parametrize("form", ["plain", "json"])
@pytest.mark.parametrize("level", ["info", "warning", "error"])
def test_no_text_and_no_key_reaches_a_log_above_debug(
    sample_catalog: Path, tmp_path: Path, form: str, level: str
) -> None:
    variables = {"SHOPGRAPH_LOG": form, "SHOPGRAPH_LOG_LEVEL": level, "OPENAI_API_KEY": KEY, "LANGSMITH_API_KEY": KEY}
    arguments = ("ask", SAID, "--json", "--catalog", sample_catalog)
    told = shopgraph(*arguments, state=tmp_path, extra=variables)
    answer = json.loads(told.out)
    shown = [word for row in answer["recommendations"] for word in (row["parent_asin"], row["title"])]
    assert shown
    for secret in ("zanzibar", "boots", "navy", KEY, answer["message"], *shown):
        assert secret not in told.err.replace(answer["conversation"], "")
    assert len(told.err.splitlines()) == (8 if level == "info" else 0)


def test_the_log_names_conversation_turn_and_node(sample_catalog: Path, tmp_path: Path) -> None:
    variables = {"SHOPGRAPH_LOG": "json", "SHOPGRAPH_LOG_LEVEL": "debug"}
    arguments = ("chat", "--conversation", "talk", "--catalog", sample_catalog)
    told = shopgraph(*arguments, state=tmp_path, extra=variables, stdin=f"{SAID}\nnot black\n")
    rows = [json.loads(line) for line in told.err.splitlines()]
    assert [(row["turn"], row["node"]) for row in rows] == [(turn, node) for turn in (1, 2) for node in NODES]
    assert {row["conversation"] for row in rows} == {"talk"}
    assert "zanzibar" in rows[0]["in"]


@pytest.mark.parametrize(("name", "value"), [("SHOPGRAPH_LOG", "xml"), ("SHOPGRAPH_LOG_LEVEL", "loud")])
def test_a_setting_of_the_log_that_cannot_be_used_is_said(tmp_path: Path, name: str, value: str) -> None:
    told = shopgraph("ask", SAID, state=tmp_path, extra={name: value})
    assert (told.code, told.out) == (1, "")
    assert told.err.startswith(f"shopgraph: {name} is '{value}': use one of ")
