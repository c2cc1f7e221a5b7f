"""The pictures of docs/studio.md: `python -m tests.pictures` takes them anew from real output.

Needs Chromium at /usr/bin/chromium (or CHROMIUM) and npm, which brings the drawing and screenshot programs.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path
from textwrap import shorten
from typing import Any

from catalog.build import build_catalog
from catalog.duckdb_index import DuckDBIndex
from catalog.open import open_catalog
from catalog.sample import write_sample
from tests.integration.server import say, serve, shown, thread_of

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
TOOLS = ("mermaid@11", "@scalar/api-reference@1", "playwright-core@1")
TALK = ("ankle boots for women", "I won't put a dead cow on my feet")
EDIT = {"attribute": "material", "value": "leather", "polarity": "negative", "text": "dead cow"}

STYLE = """
body { font: 14px/1.45 'DejaVu Sans', sans-serif; color: #1d2433; margin: 0; background: #fff }
main { display: inline-block; padding: 20px 24px }
h1 { font-size: 16px; margin: 0 0 12px } h2 { font-size: 13px; margin: 18px 0 6px; color: #5b6579 }
.say { background: #e8eefc; border-radius: 10px; padding: 8px 12px; display: inline-block; margin-bottom: 6px }
.reply { background: #f2f3f6; border-radius: 10px; padding: 8px 12px; max-width: 900px }
table { border-collapse: collapse; margin-top: 4px } th { text-align: left; color: #5b6579; font-weight: normal }
td, th { border-bottom: 1px solid #e3e6ec; padding: 5px 14px 5px 0; vertical-align: top; max-width: 380px }
td:first-child { font-weight: bold; white-space: nowrap } tr.mark td { background: #fff0d9 }
.badge { border-radius: 8px; padding: 1px 8px; background: #eef1f6 } .bad { background: #ffd9d6; color: #9b1c12 }
label { display: block; font-weight: bold; margin-top: 14px } small { color: #5b6579; display: block; max-width: 420px }
input, select { width: 420px; box-sizing: border-box; padding: 6px; border: 1px solid #c6ccd8; border-radius: 6px;
  font: inherit; margin-top: 4px; background: #fff } .cards { display: flex; gap: 48px } i { font-weight: normal }
"""

SHOTS = """
const { chromium } = require('playwright-core');
(async () => {
  const [program, list] = process.argv.slice(2);
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
  for (const [file, picture, selector, width, scale] of JSON.parse(list)) {
    const page = await browser.newPage({ viewport: { width, height: 760 }, deviceScaleFactor: scale });
    await page.goto('file://' + file);
    await page.waitForSelector(selector, { timeout: 30000 });
    await page.waitForTimeout(1500);
    await (selector === 'body' ? page : page.locator(selector).first()).screenshot({ path: picture });
    await page.close();
  }
  await browser.close();
})();
"""


def turn_page(title: str, message: str, answer: dict[str, Any], index: DuckDBIndex, marked: str) -> str:
    """Return a page of one turn: a row a node, the marked one coloured, and the products that it showed."""
    steps = "".join(
        f"<tr class='{'mark' if step['node'] == marked else ''}'>"
        + "".join(f"<td>{escape(step[part])}</td>" for part in ("node", "in", "decided", "why"))
        + "</tr>"
        for step in answer["steps"]
    )
    rows = [row for row in index.ids(shown(answer)) if row is not None]
    products = "".join(_product(product.parent_asin, product.title, product.facets) for product in index.products(rows))
    return _page(
        f"<h1>{escape(title)}</h1><div class=say>{escape(message)}</div>"
        f"<div class=reply>{escape(answer['reply'])}</div>"
        f"<h2>What each node did</h2><table><tr><th>node<th>came in<th>decided<th>why</tr>{steps}</table>"
        f"<h2>What was shown</h2><table>{products}</table>"
    )


def _product(asin: str, title: str, facets: Any) -> str:
    materials = list(facets.get("material", ()))
    leather = "bad" if "leather" in materials else ""
    stated = f"<span class='badge {leather}'>{escape(', '.join(materials) or 'not stated')}</span>"
    name = escape(shorten(title, 64, placeholder="…"))
    return f"<tr><td>{asin}</td><td style='max-width:760px'>{name}</td><td>{stated}</td></tr>"


def forms_page(schemas: dict[str, Any]) -> str:
    """Return a page with the forms that the server's schemas describe."""
    cards = "".join(
        f"<div><h1>{title}</h1>{''.join(_field(*item) for item in schemas[name]['properties'].items())}</div>"
        for title, name in (("Input", "input_schema"), ("Context of the run", "context_schema"))
    )
    return _page(f"<div class=cards>{cards}</div>")


def _field(name: str, field: dict[str, Any]) -> str:
    default = field.get("default")
    choices = "".join(f"<option {'selected' if c == default else ''}>{escape(c)}" for c in field.get("enum", []))
    shown_value = escape(default if isinstance(default, str) else json.dumps(default), quote=True)
    box = f"<select>{choices}</select>" if choices else f"<input value='{shown_value}'>"
    return f"<label>{name} <i>{field['type']}</i></label><small>{escape(field['description'])}</small>{box}"


def _page(body: str) -> str:
    return f"<!doctype html><meta charset=utf-8><style>{STYLE}</style><main>{body}</main>"


def drawing_page(modules: Path) -> str:
    """Return a page that draws docs/graph.mmd, from left to right: a page is wider than it is high."""
    drawing = (ROOT / "docs" / "graph.mmd").read_text(encoding="utf-8").replace("graph TD", "graph LR")
    script = modules / "mermaid" / "dist" / "mermaid.min.js"
    return (
        f"<!doctype html><meta charset=utf-8><main class=mermaid style='width:1400px'>{escape(drawing)}</main>"
        f"<script src='file://{script}'></script><script>mermaid.initialize({{startOnLoad: true}})</script>"
    )


def take(folder: Path, modules: Path) -> dict[str, str]:
    """Hold the conversation of docs/studio.md on a server; return each page to take a picture of."""
    from langgraph_sdk import get_sync_client

    write_sample(folder / "studio.jsonl", products=2000, seed=7)
    catalog = folder / "studio.duckdb"
    build_catalog([folder / "studio.jsonl"], catalog)
    with serve(folder, catalog, {"shoes": catalog}) as server, get_sync_client(url=server.url) as client:
        thread = thread_of(client)
        say(client, thread, TALK[0])
        bad = say(client, thread, TALK[1])
        history = client.threads.get_history(thread, limit=50)
        point = next(state for state in history if state["next"] == ["track"] and state["values"]["turn"] == 2)
        reading = {"reading": {"moves": [{"act": "negate", "fact": EDIT}]}}
        fork = client.threads.update_state(thread, reading, as_node="canonicalize", checkpoint=point["checkpoint"])
        fixed = client.runs.wait(thread, "shopgraph", input=None, checkpoint=fork["checkpoint"])
        (assistant,) = client.assistants.search(metadata={"created_by": "system"})
        schemas = client.assistants.get_schemas(assistant["assistant_id"])
        reference = client.http.client.get("/docs").text
    index = open_catalog(catalog)
    viewer = modules / "@scalar" / "api-reference" / "dist" / "browser" / "standalone.js"
    return {
        "bad-turn": turn_page("Turn 2, as it happened", TALK[1], bad, index, "canonicalize"),
        "fixed-turn": turn_page("Turn 2, from the fork: canonicalize edited", TALK[1], fixed, index, "track"),
        "forms": forms_page(schemas),
        "graph": drawing_page(modules),
        # The page's viewer comes from a CDN; here from the same package of the registry.
        "server-docs": re.sub(r'src="https://cdn[^"]+"', f'src="file://{viewer}"', reference),
    }


SELECTORS = {"graph": ("main svg", 1500, 1.0), "server-docs": ("body", 1280, 1.0)}
"""What of a page is taken, at which width and scale; the others are the whole of `main`."""


def main() -> None:
    """Write docs/pictures."""
    with tempfile.TemporaryDirectory(prefix="shopgraph-pictures-") as name:
        folder = Path(name)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent", *TOOLS], cwd=folder, check=True)
        shots = []
        for picture, page in take(folder, folder / "node_modules").items():
            (folder / f"{picture}.html").write_text(page, encoding="utf-8")
            selector, width, scale = SELECTORS.get(picture, ("main", 1200, 1.0))
            shots.append([str(folder / f"{picture}.html"), str(PICTURES / f"{picture}.png"), selector, width, scale])
        (folder / "shots.js").write_text(SHOTS, encoding="utf-8")
        program = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        subprocess.run(["node", "shots.js", program, json.dumps(shots)], cwd=folder, check=True)


if __name__ == "__main__":
    sys.exit(main())
