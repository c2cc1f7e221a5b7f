"""`shopgraph chat`: talk until the end of the input."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from catalog.errors import InputError
from graph.cli.conversation import open_conversation
from graph.cli.options import CatalogOption, ContinueOption, ConversationOption, PolicyOption, StateOption, TraceOption
from graph.cli.output import in_conversation, write
from graph.cli.phrases import belief_lines
from graph.cli.render import print_evidence, print_step, print_turn

if TYPE_CHECKING:
    from graph.cli.conversation import Conversation

HELP = """Say what you want, in your own words. And:
  /why N   why product N of the last list is shown
  /state   what I believe you want
  /undo    take the last turn back
  /reset   start over with a new wish
  /quit    end (the conversation is kept)"""


def chat(
    catalog: CatalogOption = None,
    policy: PolicyOption = None,
    state: StateOption = None,
    conversation: ConversationOption = None,
    latest: ContinueOption = False,
    trace: TraceOption = False,
) -> None:
    """Talk to the agent. The conversation is kept; --continue goes on with the latest one.

    While talking: /why N, /state, /undo, /reset, /quit, /help.

    \b
    Examples:
      shopgraph chat
      shopgraph chat --continue
      shopgraph chat --trace
      printf 'red shoes\\nunder $40\\n' | shopgraph chat
    """
    interactive = in_conversation()
    watch = print_step if trace else None
    with open_conversation(catalog, policy, state, name=conversation, latest=latest, watch=watch) as talk:
        if interactive:
            write(f"{talk.size:,} products. What are you looking for? (/help for more, /quit to end)")
        for line in _typed() if interactive else _piped():
            if not _answer(talk, line):
                break
            sys.stdout.flush()
        if interactive and talk.turns:
            write(f"Go on later with: shopgraph chat --conversation {talk.name}")


def _typed() -> Iterator[str]:
    """Yield what a person types, with line editing where the platform has it."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - importing it is what gives input() its editing
    while True:
        try:
            line = input("> ")
        except EOFError:
            write()
            return
        if line.strip():
            yield line


def _piped() -> Iterator[str]:
    """Yield the lines of piped input; bytes that are no UTF-8 become U+FFFD."""
    for raw in sys.stdin.buffer:
        line = raw.decode("utf-8", errors="replace").strip()
        if line:
            yield line


def _answer(talk: Conversation, line: str) -> bool:
    """Answer one line; False ends the chat. A line that cannot be served is said so, and the chat goes on."""
    command, _, argument = line.strip().partition(" ")
    if command == "/quit":
        return False
    try:
        if command in COMMANDS:
            COMMANDS[command](talk, argument.strip())
        elif command.startswith("/"):
            write(f"There is no command {command}. {HELP}")
        else:
            print_turn(talk.say(line))
    except InputError as error:
        write(str(error))
    return True


def _why(talk: Conversation, argument: str) -> None:
    shown = talk.shown()
    if not shown:
        write("No products are shown yet.")
    elif argument not in map(str, range(1, len(shown) + 1)):
        write(f"Name a product of the last list: /why 1 to /why {len(shown)}")
    else:
        print_evidence(int(argument), shown[int(argument) - 1])


def _state(talk: Conversation, _argument: str) -> None:
    for line in belief_lines(talk.belief()):
        write(f"  {line}")
    if talk.evidence_off:
        write(f"  sentence evidence: off ({talk.evidence_off})")


def _undo(talk: Conversation, _argument: str) -> None:
    print_turn(talk.undo())


def _reset(talk: Conversation, _argument: str) -> None:
    print_turn(talk.reset())


def _help(_talk: Conversation, _argument: str) -> None:
    write(HELP)


COMMANDS: dict[str, Callable[[Conversation, str], None]] = {
    "/why": _why,
    "/state": _state,
    "/undo": _undo,
    "/reset": _reset,
    "/help": _help,
}
