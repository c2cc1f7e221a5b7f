from __future__ import annotations

import pytest

from evals.answer import Answer
from evals.official.shopper import OfficialShopper, override_turn
from tests.unit.evals.shelf import session


def asking(attribute: str | None) -> Answer:
    return Answer.model_validate({"message": "?", "ask_attribute": attribute, "recommendations": []})


def test_buying_opens_with_the_first_hard_value_as_a_key_requirement() -> None:
    shopper = OfficialShopper(session("buying"))
    opening = shopper.opening()
    assert "Knitwear Cardigans" in opening
    assert "A key requirement is: wool." in opening
    assert "wool" not in shopper.undisclosed


@pytest.mark.parametrize("scenario", ["browsing", "boundary"])
def test_browsing_and_boundary_open_with_the_category_alone(scenario: str) -> None:
    shopper = OfficialShopper(session(scenario))
    opening = shopper.opening()
    assert "Knitwear Cardigans" in opening
    assert "exploring" in opening
    assert shopper.stated == []
    assert not any(value in opening for value in session().card.values)


def test_an_open_question_reveals_two_values_in_card_order_until_none_is_left() -> None:
    shopper = OfficialShopper(session("browsing"))
    shopper.opening()
    assert shopper.reply(2, asking("other"), []) == "For that, what matters is: wool; color: green."
    assert shopper.reply(3, asking("other"), []) == "For that, what matters is: Sleeve: raglan; Hand wash cold."
    assert "no additional preference for other" in shopper.reply(4, asking("other"), [])


def test_an_attribute_reveals_only_values_of_its_class() -> None:
    shopper = OfficialShopper(session("buying"))
    shopper.opening()
    assert "no additional preference for material" in shopper.reply(2, asking("material"), [])
    assert shopper.reply(3, asking("style"), []) == "For that, what matters is: Sleeve: raglan."
    assert "no additional preference for use case" in shopper.reply(4, asking("use_case"), [])
    assert shopper.undisclosed == ["color: green", "Hand wash cold"]


def test_without_a_question_or_an_answer_the_shopper_asks_to_be_asked() -> None:
    shopper = OfficialShopper(session("browsing"))
    assert "Ask me about one specific attribute" in shopper.reply(2, asking(None), [])
    assert "Ask me about one specific attribute" in shopper.reply(3, None, [])


def test_boundary_shrugs_once_at_the_first_question() -> None:
    shopper = OfficialShopper(session("boundary"))
    assert "Ask me" in shopper.reply(2, asking(None), [])
    assert "use your judgment" in shopper.reply(3, asking("color"), [])
    assert shopper.reply(4, asking("color"), []) == "For that, what matters is: color: green."


class TestOverride:
    def test_opens_with_the_last_soft_value_bare_and_may_reveal_it_again(self) -> None:
        shopper = OfficialShopper(session("intent_override"))
        opening = shopper.opening()
        assert opening.endswith("Hand wash cold")
        assert "requirement" not in opening
        assert shopper.stated == ["Hand wash cold"]
        assert "Hand wash cold" in shopper.undisclosed

    def test_states_the_hard_value_at_its_turn_and_hits_count_from_there(self) -> None:
        wanted = session("intent_override")
        turn = override_turn(wanted)
        assert turn in (3, 4)
        shopper = OfficialShopper(wanted)
        shopper.opening()
        replies = {n: shopper.reply(n, asking("budget"), []) for n in range(2, 6)}
        assert replies[turn] == "Actually, ignore my earlier preference. What I need is: wool."
        assert all("ignore" not in text for n, text in replies.items() if n != turn)
        assert [shopper.counts(n) for n in (1, 2, turn - 1, turn, 10)] == [False, False, False, True, True]
        assert "wool" not in shopper.undisclosed

    def test_both_turns_occur_and_depend_on_the_session_id_alone(self) -> None:
        def drawn(**changes: str) -> list[int | None]:
            return [override_turn(session("intent_override", session_id=str(n), **changes)) for n in range(40)]

        assert set(drawn()) == {3, 4}
        assert drawn() == drawn(target="OTHER00001", category="Elsewhere")

    def test_other_scenarios_have_none(self) -> None:
        assert override_turn(session("buying")) is None
        assert OfficialShopper(session("buying")).counts(1)
