"""Each node on its own: a function of the state, run without a graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from langchain_core.messages import AIMessage, HumanMessage

from catalog.errors import InputError
from graph.events import (
    AttributeAsked,
    ConstraintAdded,
    Event,
    Fact,
    PreferenceDeclined,
    ProductsRejected,
    ProductsShown,
    QueryTextAdded,
    dump,
    fold,
    load,
)
from graph.state import BASIS, Context, State, TurnState
from nodes.canonicalize import canonicalize
from nodes.clarify import clarify
from nodes.fall_back import fall_back
from nodes.filter import filter as filter_
from nodes.rank import KEPT, rank
from nodes.respond import respond
from nodes.retrieve import retrieve
from nodes.route import CLEARED, route
from nodes.track import track
from nodes.translate import translate
from tests.stores import TOWN, Stores
from tools.shop import Shop

FULL, CONFIDENT = Context(policy="full"), Context(policy="confident")


@pytest.fixture(scope="module")
def shop(stores: Stores) -> Shop:
    return Shop.of(stores.index(TOWN))


def fact(attribute: str, value: Any, **extra: Any) -> Fact:
    return Fact.model_validate({"attribute": attribute, "value": value, **extra})


RED, BOOTS = fact("color", "red"), fact("category", "boots")
CHEAP = fact("budget", 100.0, op="le")


def after(*events: Event) -> list[dict[str, Any]]:
    return dump(events)


def wanting(*facts: Fact, turn: int = 1) -> list[dict[str, Any]]:
    return dump(ConstraintAdded(turn=turn, fact=fact) for fact in facts)


def ids(shop: Shop, *asins: str) -> list[int]:
    return [row for row in shop.index.ids(list(asins)) if row is not None]


# --- a person in the loop ------------------------------------------------------------------------------------------


def test_candidates_without_their_scores_are_weighed_anew(shop: Shop) -> None:
    rows = ids(shop, "PACK03", "BOOT08")
    state = State(turn=1, events=wanting(BOOTS), candidates=rows, scores=[0.5] * 100, commit=10)
    update = respond(state, shop, FULL)
    assert [row["parent_asin"] for row in update["recommendations"]] == ["PACK03", "BOOT08"]
    backpack, boot = (row["score"] for row in update["recommendations"])
    assert backpack < boot != 0.5
    asked = clarify(state, shop, FULL)
    assert asked["commit"] == 2


@pytest.mark.parametrize("wrong", [-1, len(TOWN), 2**40])
@pytest.mark.parametrize("node", [filter_, rank, clarify, respond])
def test_a_product_that_the_catalog_does_not_hold_is_named(shop: Shop, node: Any, wrong: int) -> None:
    state = State(turn=1, candidates=[0, wrong], scores=[1.0, 0.5])
    wanted = {"context": FULL} if node is not rank else {}
    with pytest.raises(InputError, match=f"`candidates` names {wrong}: this catalog has products 0 to {len(TOWN) - 1}"):
        node(state, shop, **wanted)


def test_a_reply_that_a_person_wrote_is_said_as_it_stands(shop: Shop) -> None:
    state = State(turn=1, candidates=[0], scores=[1.0], commit=1, ask_attribute="color", reply="Try these.")
    update = respond(state, shop, FULL)
    assert (update["reply"], update["messages"][-1].text, update["ask_attribute"]) == ("Try these.", "Try these.", None)
    assert [event["type"] for event in update["events"]] == ["products_shown"]
    asking = respond(state.model_copy(update={"reply": "Black, or navy?"}), shop, FULL)
    assert asking["ask_attribute"] == "color"


def test_a_run_with_a_model_wishes_for_a_translation(shop: Shop) -> None:
    state = TurnState(message="red boots")
    assert "translation" not in canonicalize(state, shop, FULL)
    wished = canonicalize(state, shop, Context(model_mode="rules_first"))
    assert wished["translation"] == {"status": "wanted"}


# --- route ---------------------------------------------------------------------------------------------------------


ANSWERED = dump([ProductsShown(turn=turn, products=[]) for turn in (1, 2, 3)])


def test_route_clears_what_belonged_to_the_turn_before() -> None:
    old = State(message="boots", turn=3, candidates=[1], notices=["old"], relaxed=[{}], query="old", events=ANSWERED)
    update = route(old)
    assert update["turn"] == 4
    assert {key: update[key] for key in CLEARED} == CLEARED
    assert not {"events", "user_profile", "messages"} & set(update)


def test_what_route_clears_is_not_shared_between_turns() -> None:
    route(State(message="a"))["notices"].append("leak")
    assert route(State(message="a"))["notices"] == []


@pytest.mark.parametrize(
    ("message", "mode"), [("just browsing", "browsing"), ("undo", "control"), ("red boots", "buying")]
)
def test_route_labels_the_message(message: str, mode: str) -> None:
    assert route(State(message=message))["mode"] == mode


def test_route_reads_the_last_human_message_of_the_chat_view() -> None:
    chat = [HumanMessage("old"), AIMessage("hello"), HumanMessage("boots", id="x")]
    update = route(State(messages=chat))
    assert (update["message"], update["heard"]) == ("boots", "x")
    assert "messages" not in update


def test_a_message_of_the_channel_comes_before_the_chat_view() -> None:
    assert route(State(message="boots", messages=[HumanMessage("dress")]))["message"] == "boots"


def test_route_reads_the_text_of_a_message_in_parts() -> None:
    parts = [
        {"type": "text", "text": "red "},
        {"type": "image_url", "image_url": "x"},
        {"type": "text", "text": "boots"},
    ]
    assert route(State(messages=[HumanMessage(parts)]))["message"] == "red boots"


def test_a_chat_without_a_human_message_is_refused_at_the_start_only() -> None:
    with pytest.raises(InputError, match="not a human message"):
        route(State(messages=[AIMessage("hello")]))
    assert route(State(turn=3, events=ANSWERED, messages=[AIMessage("hello")]))["message"] == ""


def test_nothing_at_all_is_a_blank_message() -> None:
    assert route(State())["message"] == ""


@pytest.mark.parametrize("channel", ["message", "messages"])
def test_route_says_that_it_cut(channel: str) -> None:
    long = "x" * 100_500
    state = State(message=long) if channel == "message" else State(messages=[HumanMessage(long)])
    update = route(state)
    assert len(update["message"]) == 100_000
    assert update["notices"] == ["I read the first 100,000 characters of your message."]


def test_a_turn_that_broke_off_is_taken_up_again_without_its_events() -> None:
    events = [*wanting(RED, turn=1), *wanting(BOOTS, turn=2)]
    # A reply is no sign of an answer: a person may have written it before the turn broke off.
    update = route(State(message="size 9", turn=2, reply="Hello.", events=events))
    assert update["turn"] == 2
    assert update["events"] == {"__overwrite__": wanting(RED, turn=1)}
    first = route(State(message="size 9", turn=1, reply="", events=wanting(RED, turn=0)))
    assert (first["turn"], first["events"]) == (1, {"__overwrite__": []})


# --- reading -------------------------------------------------------------------------------------------------------


def test_canonicalize_reads_against_the_open_question_and_the_list_on_screen(shop: Shop) -> None:
    events = after(ProductsShown(turn=1, products=["BOOT01", "gone"]), AttributeAsked(turn=1, attribute="budget"))
    reading = canonicalize(TurnState(message="80", events=events), shop)["reading"]
    assert [(m["fact"]["attribute"], m["fact"]["value"]) for m in reading["moves"]] == [("budget", 80)]
    cheaper = canonicalize(TurnState(message="cheaper", events=events), shop)["reading"]
    assert [(m["fact"]["op"], m["fact"]["value"]) for m in cheaper["moves"]] == [("lt", 40)]


def test_canonicalize_grounds_what_is_quoted(shop: Shop) -> None:
    title = "Corvane Red Leather Ankle Boots Size 9"
    reading = canonicalize(TurnState(message=f"do you have the {title}?"), shop)["reading"]
    assert "contains" in [m["fact"].get("op") for m in reading["moves"] if m.get("fact")]


def test_translate_reports_that_no_model_is_configured_and_fall_back_keeps_the_reason() -> None:
    translation = translate(TurnState(turn=2))["translation"]
    assert translation["status"] == "unavailable"
    fallen = fall_back(TurnState(translation=translation))["translation"]
    assert fallen == {"status": "fell_back", "reason": "no model configured"}
    assert fall_back(TurnState())["translation"]["reason"] == "unknown"


def test_track_writes_the_events_of_the_message_and_on_the_first_turn_those_of_the_profile(shop: Shop) -> None:
    reading = canonicalize(TurnState(message="red boots"), shop)["reading"]
    profile = {"preference_tags": ["linen", "linen", 7], "summary": "buys often"}
    first = track(TurnState(reading=reading, turn=1, user_profile=profile, notices=["said"]), shop)
    facts = [(e.turn, e.fact.value, e.fact.source) for e in load(first["events"]) if isinstance(e, ConstraintAdded)]
    assert facts == [(0, "linen", "profile"), (1, "red", "lexicon"), (1, "boots", "lexicon")]
    assert first["notices"] == ["said"]
    later = track(TurnState(reading=reading, turn=2, user_profile=profile), shop)
    assert [row["type"] for row in later["events"]] == ["constraint_added", "constraint_added"]
    further = canonicalize(TurnState(message="red boots zigzag"), shop)["reading"]
    assert QueryTextAdded(turn=2, text="zigzag") in load(track(TurnState(reading=further, turn=2), shop)["events"])


# --- finding -------------------------------------------------------------------------------------------------------


def test_retrieve_keeps_the_raw_words_and_the_values(shop: Shop) -> None:
    events = [*wanting(RED), *after(QueryTextAdded(turn=1, text="tarnholt nylon"))]
    update = retrieve(TurnState(events=events), shop)
    assert set(update["query"].split()) == {"tarnholt", "nylon", "red"}
    assert set(ids(shop, "PACK05")) <= set(update["candidates"])
    assert update["candidates"] == sorted(update["candidates"])


def test_filter_drops_what_violates_and_keeps_what_is_unknown(shop: Shop) -> None:
    everything = list(range(shop.index.size))
    kept = filter_(TurnState(events=wanting(RED, CHEAP), candidates=everything), shop, FULL)
    names = set(shop.index.parent_asins(kept["candidates"]))
    assert {"BOOT06", "BOOT07", "PACK04", "PACK05", "DRES02"} <= names
    assert not names & {"BOOT08", "BOOT00", "DRES04"}
    assert kept["relaxed"] == []


@pytest.mark.parametrize(("context", "gone"), [(FULL, {"BOOT06"}), (CONFIDENT, {"BOOT06", "BOOT07"})])
def test_filter_withholds_the_rejected_and_under_confident_the_shown(
    shop: Shop, context: Context, gone: set[str]
) -> None:
    events = after(ProductsShown(turn=1, products=["BOOT07"]), ProductsRejected(turn=1, products=["BOOT06", "none"]))
    candidates = ids(shop, "BOOT06", "BOOT07", "BOOT08")
    kept = filter_(TurnState(events=events, candidates=candidates), shop, context)["candidates"]
    assert {"BOOT06", "BOOT07", "BOOT08"} - set(shop.index.parent_asins(kept)) == gone


def test_filter_looks_further_when_all_candidates_were_shown(shop: Shop) -> None:
    events = after(ProductsShown(turn=1, products=["BOOT07", "BOOT08"]))
    kept = filter_(TurnState(events=events, candidates=ids(shop, "BOOT07", "BOOT08")), shop, CONFIDENT)["candidates"]
    assert set(kept) == set(range(len(TOWN))) - set(ids(shop, "BOOT07", "BOOT08"))


def test_filter_says_when_all_that_fits_was_turned_down(shop: Shop) -> None:
    events = [*wanting(RED, BOOTS), *after(ProductsRejected(turn=1, products=["BOOT06", "BOOT07", "BOOT08"]))]
    update = filter_(TurnState(events=events, candidates=ids(shop, "BOOT06", "BOOT00"), notices=["first"]), shop, FULL)
    assert (update["candidates"], update["relaxed"]) == ([], [])
    assert update["notices"] == ["first", "You have turned down all 3 that fit."]


def test_filter_gives_up_the_least(shop: Shop) -> None:
    cheap = fact("budget", 10.0, op="le")
    state = TurnState(events=wanting(RED, BOOTS, cheap), candidates=ids(shop, "BOOT06", "PACK05"))
    update = filter_(state, shop, FULL)
    assert [(row["fact"], row["instead"]) for row in update["relaxed"]] == [("at most $10", "at most $90")]
    assert shop.index.parent_asins(update["candidates"]) == ["BOOT06"]


def test_rank_orders_by_evidence_and_breaks_ties_by_id(shop: Shop) -> None:
    candidates = ids(shop, "PACK05", "BOOT06", "BOOT00")[::-1]
    update = rank(TurnState(events=wanting(RED, BOOTS), candidates=candidates, query="red boots"), shop)
    assert shop.index.parent_asins(update["candidates"])[0] == "BOOT06"
    assert update["scores"] == sorted(update["scores"], reverse=True)
    assert len(update["candidates"]) == min(3, KEPT)
    assert shop.index.parent_asins(update["candidates"])[0] == update[BASIS]["leader"]
    assert sum(update[BASIS]["terms"].values()) == pytest.approx(update["scores"][0], abs=0.001)
    assert rank(TurnState(), shop) == {"candidates": [], "scores": [], "rest": 0.0, BASIS: {}}


# --- answering -----------------------------------------------------------------------------------------------------


def test_clarify_asks_the_open_question_first_and_commits_to_one_while_more_may_come(shop: Shop) -> None:
    state = TurnState(events=wanting(BOOTS), candidates=ids(shop, "BOOT06", "BOOT07"), scores=[2.0, 1.9], turn=1)
    asked = clarify(state, shop, CONFIDENT)
    assert (asked["ask_attribute"], asked["options"], asked["commit"]) == ("other", [], 1)
    assert asked[BASIS] == {"leaders": 2, "reason": "the open question comes first", "splits": {}, "worth": {}}
    assert clarify(state, shop, FULL)["commit"] == 2


def test_clarify_commits_to_more_when_nothing_more_will_come(shop: Shop) -> None:
    events = [*wanting(BOOTS), *after(PreferenceDeclined(turn=1, attribute="all"))]
    candidates = list(range(20))
    state = TurnState(events=events, candidates=candidates, scores=[1.0] * 20, turn=2)
    update = clarify(state, shop, CONFIDENT)
    assert (update["ask_attribute"], update["options"]) == (None, [])
    assert update["commit"] > 1


def test_clarify_names_options_only_where_the_question_does(shop: Shop) -> None:
    asked = after(AttributeAsked(turn=1, attribute="other"), AttributeAsked(turn=2, attribute="feature"))
    declined = after(*(PreferenceDeclined(turn=3, attribute=a) for a in ("category", "brand", "budget", "style")))
    candidates = ids(shop, "BOOT00", "BOOT04", "BOOT08")
    state = TurnState(events=[*asked, *declined], candidates=candidates, scores=[1.0, 0.9, 0.8], turn=3)
    color = clarify(state, shop, FULL)
    assert color["ask_attribute"] == "color"
    assert set(color["options"]) <= {"black", "navy", "blue", "red"}
    assert len(color["options"]) == 3
    held = [*asked, *declined, *after(PreferenceDeclined(turn=3, attribute="color"))]
    size = clarify(state.model_copy(update={"events": held}), shop, FULL)
    assert (size["ask_attribute"], size["options"]) == ("size", ["7", "9", "11"])


def answering(shop: Shop, *asins: str, **extra: Any) -> State:
    values: dict[str, Any] = {"message": "red boots", "turn": 2, "events": wanting(RED)}
    values |= {"candidates": ids(shop, *asins), "scores": [2.0, 1.0, 0.5][: len(asins)], "commit": len(asins)}
    return State(**values | extra)


def test_respond_shows_asks_and_records(shop: Shop) -> None:
    update = respond(answering(shop, "BOOT06", "BOOT07", ask_attribute="other"), shop, FULL)
    assert update["recommendations"] == [
        {"parent_asin": "BOOT06", "score": 2.0},
        {"parent_asin": "BOOT07", "score": 1.0},
    ]
    assert [event.type for event in load(update["events"])] == ["products_shown", "attribute_asked"]
    assert fold(load(update["events"])).last_shown == ["BOOT06", "BOOT07"]
    assert update["reply"].endswith("?")
    assert update["evidence"]["BOOT06"][0]["verdict"] == "satisfied"
    assert [(m.type, m.text) for m in update["messages"]] == [("human", "red boots"), ("ai", update["reply"])]
    assert update["message"] == ""
    assert update["served"] == {
        "policy": "full",
        "model_mode": "off",
        "catalog": "default",
        "catalog_sha256": shop.index.manifest.catalog_sha256,
    }


def test_respond_shows_no_more_than_was_committed_to(shop: Shop) -> None:
    update = respond(answering(shop, "BOOT06", "BOOT07", commit=1), shop, FULL)
    assert [row["parent_asin"] for row in update["recommendations"]] == ["BOOT06"]
    assert len(update["candidates"]) == len(update["scores"]) == 1


def test_respond_adds_only_its_answer_to_a_chat_that_holds_the_message(shop: Shop) -> None:
    update = respond(answering(shop, "BOOT06", messages=[HumanMessage("red boots")]), shop, FULL)
    assert [message.type for message in update["messages"]] == ["ai"]


def test_respond_without_a_product_says_so(shop: Shop) -> None:
    update = respond(answering(shop), shop, FULL)
    assert update["recommendations"] == []
    assert "no product" in update["reply"]


def test_respond_says_the_notices_and_what_is_not_known(shop: Shop) -> None:
    state = answering(shop, "BOOT06", events=wanting(fact("size", "13")), notices=["I read half."])
    reply = respond(state, shop, FULL)["reply"]
    assert reply.startswith("I read half. ")
    assert "not known to meet: size 13" in reply


def test_respond_refuses_to_break_the_contract(shop: Shop) -> None:
    twice = answering(shop, "BOOT06", "BOOT06")
    with pytest.raises(ValueError, match="none twice"):
        respond(twice, shop, FULL)


def test_candidates_leave_as_plain_numbers(shop: Shop) -> None:
    state = TurnState(events=wanting(RED, BOOTS), candidates=list(range(10)), query="red boots", turn=1)
    for update in (retrieve(state, shop), filter_(state, shop, FULL), rank(state, shop)):
        assert all(type(row) is int for row in update["candidates"])
    assert all(type(score) is float for score in rank(state, shop)["scores"])
    assert not any(isinstance(value, np.generic) for value in clarify(state, shop, CONFIDENT).values())
