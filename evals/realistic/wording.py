"""One person's way of putting sentences: which forms suit her, the words she swaps, her slips, how she starts and ends.

Everything is drawn from the session id, so that a frozen session is spoken the same way every time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from evals.draws import pick, unit
from evals.realistic.bank import Persona, bank
from evals.realistic.session import RealisticSession
from evals.realistic.speech import speech
from evals.realistic.typos import with_typos

_END = (".", "!", "?", "…", ")")


class Wording:
    """Fills in forms as one persona says them."""

    def __init__(self, session: RealisticSession) -> None:
        self._seed = session.session_id
        self._name = session.persona
        self._persona: Persona = getattr(bank(session.manner.half).persona, session.persona)
        self._used: set[str] = set()
        self._heavy = session.manner.level == "heavy"
        longest_first = sorted(self._persona.swaps, key=len, reverse=True)
        self._swapped = re.compile(rf"(?<![\w{{'])(?:{'|'.join(map(re.escape, longest_first))})(?![\w}}'])", re.I)
        self._swaps = {key.lower(): said for key, said in self._persona.swaps.items()}

    def put(self, forms: Sequence[str], values: Mapping[str, str], *seed: object, inner: bool = False) -> str:
        """Return one of `forms`, drawn by `seed`, in this person's words and with its braces filled by `values`.

        No form is said twice while others are left. `inner` is for a form that stands inside another one.
        Swaps and slips come before the braces are filled, so that what is filled in stays as it is.
        """
        suited = self._suited(forms)
        form: str = pick([form for form in suited if form not in self._used] or suited, self._seed, self._name, *seed)
        self._used.add(form)
        if inner and not form.startswith(("I ", "I'")):
            form = form[0].lower() + form[1:]
        form = self._swap(form, *seed)
        if self._name == "typo_prone":
            form = with_typos(form, speech().rates.typo, self._seed, *seed)
        return form.format_map(values)

    def told(self, value: str) -> str:
        """Return a fact's value as it is typed: with slips only where facts are not verbatim."""
        if self._name != "typo_prone" or not self._heavy:
            return value
        return with_typos(value, speech().rates.typo, self._seed, value)

    def framed(self, message: str, *seed: object) -> str:
        """Return `message` with the lead-in and the tail that the persona may have."""
        chance = speech().rates.framing[self._name]
        if unit(self._seed, "before", *seed) < chance:
            message = f"{pick(self._persona.before, self._seed, 'lead-in', *seed)} {message}".strip()
        if unit(self._seed, "after", *seed) < chance:
            tail = pick(self._persona.after, self._seed, "tail", *seed)
            message = f"{message}{' ' if message.endswith(_END) else ', '}{tail}" if tail else message
        return message

    def _suited(self, forms: Sequence[str]) -> Sequence[str]:
        """Leave a terse person the shorter half of the forms, a chatty one the longer half."""
        by_length = sorted(forms, key=len)
        half = (len(forms) + 1) // 2
        if self._name == "terse":
            return by_length[:half]
        return by_length[-half:] if self._name == "chatty" else forms

    def _swap(self, form: str, *seed: object) -> str:
        place = 0

        def swapped(match: re.Match[str]) -> str:
            nonlocal place
            place += 1
            if unit(self._seed, "swap", place, *seed) >= speech().rates.swap:
                return match.group()
            said: str = self._swaps[match.group().lower()]
            return said[0].upper() + said[1:] if match.group()[0].isupper() else said

        return self._swapped.sub(swapped, form)


def sentence(text: str) -> str:
    """End a text with a mark, so that the next one does not run on."""
    return text if text.endswith(_END) else f"{text}."


def clause(text: str) -> str:
    """Take the full stop off a text that goes on inside another one."""
    return text.removesuffix(".") if not text.endswith("...") else text


def tidied(text: str) -> str:
    """Drop a full stop or a comma that follows another mark, as where a question stands inside a sentence."""
    return re.sub(r"(?<=[?!])[.,;](?!\.)", "", text)
