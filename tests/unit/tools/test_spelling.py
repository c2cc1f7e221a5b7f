"""Spelling repair over a real small store: what is set right, what stands, and that spans stay those of the message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.lexicon import Lexicon
from graph.events import BeliefState
from tests.stores import Row, Stores, item
from tests.unit.tools.lexicons import SmallLexicon, brief
from tools.language import Reader
from tools.phrases import load_table
from tools.reading import Question
from tools.slips import slip_cost
from tools.spelling import DOUBT, Speller
from tools.word_repair import WordRepair, english_words, grammar_words
from tools.words import read_text

_COLORS = (
    "black",
    "purple",
    "turquoise",
    "burgundy",
    "silver",
    "yellow",
    "beige",
    "white",
    "orange",
    "navy",
    "charcoal",
)
_CLOTHS = ("leather", "cashmere", "polyester", "cotton", "velvet", "denim", "corduroy", "fleece", "flannel", "suede")
_KINDS = (
    "Sandals", "Sweaters", "Jackets", "Dresses", "Sneakers", "Backpacks", "Necklaces", "Earrings", "Sunglasses",
    "Swimsuits", "Sweatshirts", "Leggings", "Jewelry", "Scarves", "Gloves", "Wallets", "T-Shirts", "Blouses",
)  # fmt: skip
_FEATURES = (
    "Waterproof",
    "Breathable",
    "Adjustable straps",
    "Machine washable",
    "Lightweight",
    "Comfortable",
    "Stretchy",
)
_STYLES = ("striped", "floral", "vintage", "casual", "sleeveless", "turtleneck", "embroidered")
_MAKERS = ("Corvane", "Tarnholt", "Adidas", "Skechers")


def _rows() -> list[Row]:
    """Six products of each kind, their colours, cloths and the rest taken in turn."""
    return [
        item(
            f"ITEM{number:03}",
            f"{_MAKERS[number % 4]} Women's {_COLORS[number % 11].title()} {_CLOTHS[number % 10].title()} "
            f"{_STYLES[number % 7].title()} {kind} Medium",
            20.0 + number,
            Color=_COLORS[number % 11],
            Material=_CLOTHS[number % 10],
            Size="medium",
            Department="womens",
            Season="summer" if number % 2 else "winter",
            store=_MAKERS[number % 4],
            categories=f"Clothing, Shoes & Jewelry > Women > {kind}",
            features=f"{_FEATURES[number % 7]} | Made for hiking, running and travel",
        )
        for number, kind in enumerate(kind for kind in _KINDS for _ in range(6))
    ]


@pytest.fixture(scope="module")
def lexicon(stores: Stores) -> Lexicon:
    return stores.index(_rows()).lexicon


@pytest.fixture(scope="module")
def speller(lexicon: Lexicon) -> Speller:
    return Speller(lexicon)


def _repaired(speller: Speller, message: str) -> str:
    respelled = speller.respell(read_text(message))
    return respelled.text if respelled else message


_SLIPS = """
transposed   laether:leather|purpel:purple|blakc:black|sandlas:sandals|jakcet:jacket|wihte:white|dersses:dresses
transposed   oragne:orange|sivler:silver|jewlery:jewelry|hikign:hiking|vinatge:vintage|stirped:striped|aldies:ladies
left-out     lether:leather|casmere:cashmere|sweter:sweater|medum:medium|turquose:turquoise|burgndy:burgundy
left-out     sneakrs:sneakers|bckpack:backpack|neclace:necklace|sunglases:sunglasses|whte:white|waterprof:waterproof
left-out     breathble:breathable|adjustble:adjustable|embroidred:embroidered|swimsut:swimsuit|poyester:polyester
left-out     sleevelss:sleeveless|turtlneck:turtleneck|corduoy:corduroy|lightwight:lightweight|skechrs:skechers
put-in       bleack:black|pourple:purple|leathert:leather|sandalls:sandals|coottton:cotton|denimm:denim|wintter:winter
put-in       yelllow:yellow|velvvet:velvet|dresss:dress|jackett:jacket|sweatter:sweater|gloeves:gloves|bluose:blouse
put-for      bleck:black|sandels:sandals|leathar:leather|yallow:yellow|silvar:silver|beigge:beige|cottin:cotton
put-for      nacklace:necklace|earrengs:earrings|sumnmer:summer|florel:floral|casuel:casual|velvat:velvet|fleese:fleece
by-ear       cashmire:cashmere|sanduls:sandals|hyking:hiking|comfertable:comfortable|polyestir:polyester|dennim:denim
by-ear       turkwoise:turquoise|flanel:flannel|vintaje:vintage|strechy:stretchy|washible:washable|charcole:charcoal
drawn-out    bluuue:blue|blaaack:black|leatherrrr:leather|summmmer:summer|pleaseee:please|yellowww:yellow
two-slips    sweatshrit:sweatshirt|backpcak:backpack|comfrtabel:comfortable|turqouise:turquoise|embroiderd:embroidered
two-slips    watreprof:waterproof|sneekars:sneakers|sungalses:sunglasses|leggigns:leggings|neclaces:necklaces
grammar      undr:under|cheepest:cheapest|chnage:change|diferent:different|somthing:something|instaed:instead
grammar      bugdet:budget|dolars:dollars|withuot:without|preffer:prefer|woudl:would|pleese:please|reveiws:reviews
names        addidas:adidas|adiddas:adidas|corvanne:corvane|tarnhollt:tarnholt|skechars:skechers
parted       blackdress:black dress|velvetdress:velvet dress|purplesandals:purple sandals|cottonblouse:cotton blouse
parted       floraldress:floral dress|denimjacket:denim jacket|silverearrings:silver earrings
"""


def _slips() -> list[tuple[str, str]]:
    pairs = [pair.split(":") for line in _SLIPS.strip().splitlines() for pair in line.split(maxsplit=1)[1].split("|")]
    return [(wrote, meant) for wrote, meant in pairs]


@pytest.mark.parametrize(("wrote", "meant"), _slips())
def test_a_misspelt_word_is_set_right(speller: Speller, wrote: str, meant: str) -> None:
    assert _repaired(speller, f"i want {wrote} now") == f"i want {meant} now"


_STANDS = """
english   coal coat bolts boots short shirt sole sold shorn stripe strip lather ladder pleather letter weather heather
english   sandal scandal swatter sweater sweeter blank bleak block purse purple sliver silver collar color colour
english   want wont wand beach peach shoe hose socks sacks wool pool fool jeans genes dress dross press hat that vest
plural    hoodies blazers sandal sneaker necklace wallets dress scarfs jackets
made      beltless orangeish sparklier collarless strapless cottonlike
people    jonathan svetlana katarzyna siobhan mbappe okonkwo yusuf priya
brands    quintara zephrine olukai vionic allbirds bombas
codes     a7 b079h 501s gtx1080 x-blue r2d2 12oz 34x30 xxl 2xl wh-1000xm4
chat      lol btw pls idk omg wanna gonna kinda haha yall thnx fav cuz tysm
foreign   schuhe zapatos chaussures vestido pantalones scarpe bolso rouge schwarz
short     blk wht grn lgt sz rd xs
"""


@pytest.mark.parametrize("word", [word for line in _STANDS.strip().splitlines() for word in line.split()[1:]])
def test_a_word_that_is_no_slip_stands(speller: Speller, word: str) -> None:
    assert speller.respell(read_text(f"i want {word} now")) is None


@pytest.mark.parametrize(
    "message",
    [
        "My friend Blakc wants one",
        "see www.lether.com or mail jon@sandels.org",
        "https://shop.example/lether/sandels?medum=1",
        "tag @lether and #purpel please",
        "file blakc_lether.jpg",
        "the StyleLehter line",
        "the BLKC model, please",
        "ich suche schwarze schuhe ohne absatz fuer die hochzeit",
        "busco unos zapatos negros para la boda de mi hermana",
        "je cherche une robe rouge pour un mariage en juillet",
        "qwrtz plmkn zxcvv bnmmm wrtzu",
        "rock'n'roll ma'am y'all o'neill d'orsay",
        "\u0431\u043e\u0442\u0438\u043d\u043a\u0438 \u9774\u5b50 blacк",
        "",
        "  ... !!! ",
    ],
)
def test_names_addresses_codes_and_other_languages_stand(speller: Speller, message: str) -> None:
    assert speller.respell(read_text(message)) is None


@pytest.mark.parametrize(
    ("message", "repaired"),
    [
        ("Lether JAKCET, Purpel", "Leather JACKET, Purple"),
        ("BLAKC LETHER SANDELS", "BLACK LEATHER SANDALS"),
        ("Blakc Lether Sandels", "Black Leather Sandals"),
        ("a bag by Addidas please", "a bag by Adidas please"),
        ("a t-shiirt", "a tshirt"),
        ("faux-lether/casmere", "faux-leather/cashmere"),
        ("color:blakc", "color:black"),
        ("hand_gloves", "hand_gloves"),
        ("women s sandals", "womens sandals"),
        ("san dals", "sandals"),
        ("a high neck lace dress", "a high neck lace dress"),
        ("some good jack ets", "some good jackets"),
        ("size s", "size s"),
        ("Sandals Black S", "Sandals Black S"),
        ("black sandals s", "black sandals s"),
        ("imported leathe...", "imported leathe..."),
        ("black dress", "black dress"),
        ("back, pack", "back, pack"),
        ("undr 50", "under 50"),
    ],
)
def test_a_repair_keeps_the_message_around_it(speller: Speller, message: str, repaired: str) -> None:
    assert _repaired(speller, message) == repaired


def test_a_repaired_message_is_understood_and_its_spans_are_what_was_written(lexicon: Lexicon) -> None:
    message = "Blakc LETHER sandels undr 50, no casmere"
    reading = Reader(lexicon).read(message, Question(), BeliefState())
    assert brief(reading) == ["color=black", "material=leather", "category=sandals", "budget<=50", "-material=cashmere"]
    assert [fact.text for fact in reading.facts] == ["Blakc", "LETHER", "sandels", "undr 50", "casmere"]
    assert all(fact.text == message[slice(*fact.span)] for fact in reading.facts if fact.span)
    assert reading.query_text == "Black LEATHER sandals"


def test_a_fact_that_rests_on_a_repair_is_less_sure(lexicon: Lexicon) -> None:
    reader = Reader(lexicon)
    sure, doubtful = (
        reader.read(text, Question(), BeliefState()).facts[0].confidence for text in ("leather", "lether")
    )
    assert doubtful == round(sure * DOUBT, 3)


def test_a_fact_beside_a_repair_is_as_sure_as_ever(lexicon: Lexicon) -> None:
    facts = Reader(lexicon).read("sandels in navy", Question(), BeliefState()).facts
    assert [fact.confidence < 1 for fact in facts if fact.attribute == "color"] == [False]


@pytest.mark.parametrize(
    ("message", "spans"),
    [
        ("a blackdress", ["black", "dress"]),
        ("san dals, black", ["san dals", "black"]),
        ("women s blakc dress", ["women s", "blakc", "dress"]),
    ],
)
def test_parted_and_joined_words_keep_their_places(lexicon: Lexicon, message: str, spans: list[str]) -> None:
    assert [fact.text for fact in Reader(lexicon).read(message, Question(), BeliefState()).facts] == spans


def test_an_unexplained_word_is_told_as_it_was_written(lexicon: Lexicon) -> None:
    reading = Reader(lexicon).read("somthing for the travle", Question(), BeliefState())
    assert "travel" not in reading.unexplained


def test_a_misspelt_move_is_a_move() -> None:
    reader = Reader(SmallLexicon())
    assert reader.read("strat over please", Question(), BeliefState()).acts != ["reset"], "an English word stands"
    assert reader.read("lets restrat", Question(), BeliefState()).acts == ["reset"]


@pytest.mark.parametrize(
    ("wrote", "meant", "cost"),
    [
        ("shirt", "shirt", 0.0),
        ("shrit", "shirt", 0.7),
        ("dres", "dress", 0.5),
        ("dresss", "dress", 0.5),
        ("lether", "leather", 0.8),
        ("bleck", "black", 0.8),
        ("vintaje", "vintage", 0.8),
        ("blacj", "black", 0.9),
        ("jaket", "jacket", 1.0),
        ("blacp", "black", 1.3),
        ("blok", "black", 1.8),
    ],
)
def test_a_slip_costs_what_it_takes(wrote: str, meant: str, cost: float) -> None:
    assert slip_cost(wrote, meant) == pytest.approx(cost)


@pytest.mark.parametrize("word", ["under", "change", "instead", "cheaper", "budget", "forget", "without", "twenty"])
def test_the_words_of_the_grammar_come_from_its_tables(word: str) -> None:
    assert word in grammar_words()


def test_the_dictionary_knows_english_and_how_often_it_is_spoken() -> None:
    words = english_words()
    assert {"leather", "shorn", "jonathan"} <= words.keys()
    assert not {"lether", "sandels", "chnage"} & words.keys()
    assert words["want"] > 100 * words["wane"]


def test_chat_words_are_none_of_the_dictionary() -> None:
    chat = load_table("spelling")["chat"].split()
    assert len(chat) == len(set(chat))
    assert all(len(word) >= 3 for word in chat)


class _Rivals(SmallLexicon):
    """Two words that are equally near "suide", the one sixty times as frequent as the other when `clear`."""

    def __init__(self, clear: bool) -> None:
        super().__init__()
        self._held = {"suede": 3000, "suade": 3000 if not clear else 50}

    def document_frequency(self, token: str) -> int:
        return self._held.get(token, 0)

    def knows(self, token: str) -> bool:
        return token in self._held

    def surfaces(self) -> list[str]:
        return list(self._held)


def test_of_two_words_equally_near_only_a_far_more_frequent_one_is_meant() -> None:
    assert WordRepair(_Rivals(clear=True)).meant("suide") == ("suede",)
    assert WordRepair(_Rivals(clear=False)).meant("suide") == ()


_WORDS = st.sampled_from(
    [wrote for wrote, _ in _slips()] + _STANDS.split() + ["black", "under", "50", "not", "in", "s"]
)
_TEXTS = st.lists(st.one_of(_WORDS, st.text(max_size=12)), max_size=12).map(" ".join)


@given(message=_TEXTS)
def test_any_message_is_read_and_its_facts_quote_it(lexicon: Lexicon, message: str) -> None:
    reader = Reader(lexicon)
    reading = reader.read(message, Question(), BeliefState())
    assert reading == reader.read(message, Question(), BeliefState())
    for fact in reading.facts:
        assert fact.span is None or fact.text == message[slice(*fact.span)]


@given(message=_TEXTS)
def test_a_word_that_the_catalog_knows_is_never_touched(lexicon: Lexicon, speller: Speller, message: str) -> None:
    text = read_text(message)
    respelled = speller.respell(text)
    for edit in respelled.edits if respelled else ():
        touched = [token for token in text.tokens if edit.start < token.end and token.start < edit.end]
        assert not any(lexicon.knows(token.text) for token in touched)
