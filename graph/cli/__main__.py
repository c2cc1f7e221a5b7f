"""`python -m graph.cli` is `shopgraph`."""

from graph.cli import main

main()
