from __future__ import annotations

from pathlib import Path

import pytest

from evals.answer import Answer
from evals.errors import EvaluationError, SessionFileError
from evals.official.bound import bound_outcomes
from evals.official.generate import generate_sessions
from evals.protocols import protocol_named
from evals.realistic.bank import PERSONAS, Half, bank
from evals.realistic.facts import read_fact
from evals.realistic.session import Level, Manner, RealisticSession
from evals.realistic.shopper import RealisticShopper
from evals.realistic.speech import mentions, speech
from evals.scoring import Outcome, score_groups
from evals.session_files import generate
from evals.sessions import carries_id
from tests.unit.evals.realistic_shelf import ASK, played, realistic, shelf, sight, spoken

MANNERS = [(level, half) for level in ("light", "heavy") for half in ("train", "test")]


def facts_of(session: RealisticSession) -> dict[str, str]:
    return {card: read_fact(card, card in session.keyed).value for card in session.card.values}


def test_the_targets_ids_and_scenarios_are_those_of_p1() -> None:
    ours, official = realistic(), generate_sessions(shelf(), 60, "uniform", 3)
    assert [(s.session_id, s.target, s.scenario, s.hard, s.soft) for s in ours] == [
        (s.session_id, s.target, s.scenario, s.hard, s.soft) for s in official
    ]
    assert {session.persona for session in ours} == set(PERSONAS)


@pytest.mark.parametrize(("level", "half"), MANNERS)
def test_every_move_occurs_and_is_true_of_the_target(level: Level, half: Half) -> None:
    products = {product.parent_asin: product for product in shelf()}
    dear = [product.parent_asin for product in shelf()[-10:]]
    seen: set[str] = set()
    for session in realistic(level=level, half=half):
        for shopper in (played(session), played(session, dear)):
            text = products[session.target].text
            for said in shopper.statements:
                seen.add(said.move)
                if said.move in ("negation", "mistake") and said.kind != "budget":
                    assert not mentions(text, speech().names(said.value)), said
                elif said.move not in ("negation", "mistake", "cheaper"):
                    assert said.value in session.card.values, said
            moves = [said.move for said in shopper.statements]
            corrected = moves.count("correction") + (session.scenario == "intent_override")
            assert moves.count("mistake") <= corrected
    assert seen >= {"fact", "override", "negation", "mistake", "correction", "cheaper", "refer"}


def test_light_sessions_say_every_fact_verbatim() -> None:
    for session in realistic(level="light"):
        shopper, messages = spoken(session, looking=False)
        text = "\n".join(messages)
        stated = {said.value for said in shopper.statements if said.move in ("fact", "override", "correction")}
        assert stated == set(session.card.values)
        assert all(facts_of(session)[card] in text for card in stated)


def test_heavy_sessions_say_a_share_of_the_facts_in_other_words() -> None:
    def verbatim(share: float) -> int:
        count = 0
        for session in realistic(level="heavy", share=share):
            text = "\n".join(spoken(session, looking=False)[1])
            count += sum(value in text for value in facts_of(session).values())
        return count

    none, most, all_said = verbatim(0.0), verbatim(0.7), verbatim(1.0)
    assert none > 1.5 * most > 1.5 * all_said


@pytest.mark.parametrize(("level", "half"), MANNERS)
def test_messages_carry_no_id_no_brace_and_repeat_exactly(level: Level, half: Half) -> None:
    for session in realistic(level=level, half=half):
        messages = spoken(session)[1]
        assert messages == spoken(RealisticSession.model_validate_json(session.model_dump_json()))[1]
        assert all(message.strip() for message in messages)
        assert not any(carries_id(message, session.target) or "{" in message for message in messages)


def test_a_correction_stands_after_its_mistake_in_the_same_or_the_next_message() -> None:
    places = set()
    for session in realistic(90):
        if session.scenario == "intent_override":
            continue
        shopper, messages = RealisticShopper(session), []
        messages.append((shopper.opening(), [said.move for said in shopper.statements]))
        for turn in range(2, 7):
            before = len(shopper.statements)
            text = shopper.reply(turn, ASK, [])
            messages.append((text, [said.move for said in shopper.statements[before:]]))
        wrong = next((at for at, (_, moves) in enumerate(messages) if "mistake" in moves), None)
        if wrong is not None:
            right = next(at for at, (_, moves) in enumerate(messages) if "correction" in moves)
            places.add(right - wrong)
            value = next(said.value for said in shopper.statements if said.move == "mistake")
            assert value.lower() in messages[wrong][0].lower() and value.lower() in messages[right][0].lower()
    assert places == {0, 1}


def test_personas_speak_in_their_own_frames_words_and_slips() -> None:
    sessions = {name: [s for s in realistic(120) if s.persona == name] for name in PERSONAS}
    for name, own in sessions.items():
        persona = getattr(bank("train").persona, name)
        said = "\n".join(message for session in own for message in spoken(session, looking=False)[1])
        assert sum(lead in said for lead in persona.before if lead) >= 2, name
        assert sum(tail in said for tail in persona.after if tail) >= 2, name
        assert any(word in said for word in persona.swaps.values()), name

    def length(name: str) -> float:
        texts = [message for session in sessions[name] for message in spoken(session, looking=False)[1]]
        return sum(map(len, texts)) / len(texts)

    assert length("chatty") > 1.5 * length("terse")


def test_a_persona_holds_without_products_to_look_at() -> None:
    dear = [product.parent_asin for product in shelf()[-10:]]
    moves = {said.move for session in realistic() for said in played(session, dear, looking=False).statements}
    assert not moves & {"refer", "cheaper"}


def test_the_rules_of_p1_hold() -> None:
    session = next(session for session in realistic() if session.scenario == "boundary")
    shopper = RealisticShopper(session, sight())
    shopper.opening()
    said = len(shopper.statements)
    shopper.reply(2, ASK, [])
    assert len(shopper.statements) == said
    shopper.reply(3, None, [])
    assert len(shopper.statements) == said
    silent = Answer.model_validate({"message": "here", "ask_attribute": None, "recommendations": []})
    shopper.reply(4, silent, [])
    assert len(shopper.statements) == said
    shopper.reply(5, ASK, [])
    assert len(shopper.statements) > said
    override = next(session for session in realistic() if session.scenario == "intent_override")
    assert not RealisticShopper(override).counts(2)
    assert RealisticShopper(override).counts(4)


def test_the_bound_is_that_of_p1() -> None:
    ours, official = realistic(20), generate_sessions(shelf(), 20, "uniform", 3)
    bound = protocol_named("realistic").bound
    assert bound is not None
    assert bound(shelf(), ours, ["confident"], False) == bound_outcomes(shelf(), official, ["confident"])


def test_sessions_of_other_sentences_are_refused() -> None:
    session = realistic(5)[0].model_copy(update={"bank": "0" * 64})
    with pytest.raises(SessionFileError, match="generate the file anew"):
        RealisticShopper(session)


def test_a_manner_belongs_to_this_protocol_alone(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="belong to protocol 'realistic'"):
        generate(tmp_path / "absent.duckdb", tmp_path / "out.jsonl", manner=Manner())


def test_scores_are_grouped_by_persona() -> None:
    session = realistic(5)[0]
    hit = Outcome(session_id="a", scenario="buying", groups=session.groups, turn=1, rank=1)
    miss = Outcome(session_id="b", scenario="buying", groups=session.groups)
    assert score_groups([hit, miss])["persona"][session.persona].hr_at_10 == 0.5
    assert score_groups([Outcome(session_id="c", scenario="buying")]) == {}
