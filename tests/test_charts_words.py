"""What the charts say, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import solver.charts
from solver.charts.messages import MESSAGES, NOUNS
from solver.charts.words import LANGUAGES, ChartError, Words, fields_of

SOURCES = sorted(Path(solver.charts.__file__).parent.rglob("*.py"))
CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
SYMBOLS = {"foot.page", "letter.dump"}  # the same, or nearly, in every language


@pytest.mark.parametrize("key", sorted(MESSAGES))
def test_every_message_exists_in_both_languages(key):
    english, russian = MESSAGES[key]
    assert english.strip() == english != ""
    assert russian.strip() == russian != ""
    assert not CYRILLIC.search(english)
    if key not in SYMBOLS:
        assert CYRILLIC.search(russian), f"{key} is not in Russian"


@pytest.mark.parametrize("key", sorted(MESSAGES))
def test_messages_have_the_same_fields_in_both_languages(key):
    english, russian = ({name for name, _ in fields_of(text)} for text in MESSAGES[key])
    assert english == russian


@pytest.mark.parametrize("key", sorted(MESSAGES))
def test_fields_have_formats_that_exist(key):
    for text in MESSAGES[key]:
        for _, spec in fields_of(text):
            assert spec == "" or spec in NOUNS or re.fullmatch(r"(pct|pp|d)\d", spec)


def test_every_key_in_the_code_is_a_message():
    code = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    for key in re.findall(r"""words\(\s*["']([\w.]+)["']""", code):
        assert key in MESSAGES
    for prefix in re.findall(r"""words\(\s*f["']([\w.]+)\{""", code):
        assert any(key.startswith(prefix) for key in MESSAGES)


def test_every_message_is_used():
    code = "\n".join(p.read_text(encoding="utf-8") for p in SOURCES if "messages" not in p.parts)
    prefixes = tuple(re.findall(r"""f["']((?:[a-z_]+\.)+[a-z_]*)\{""", code))
    unused = [key for key in MESSAGES if not re.search(f"[\"']{key}[\"']", code)]
    assert [key for key in unused if not key.startswith(prefixes)] == []


@pytest.mark.parametrize(
    ("number", "form"),
    [(0, 2), (1, 0), (2, 1), (3, 1), (4, 1), (5, 2), (10, 2), (11, 2), (12, 2), (14, 2), (20, 2),
     (21, 0), (22, 1), (24, 1), (25, 2), (101, 0), (111, 2), (112, 2), (114, 2), (122, 1),
     (1000, 2), (1001, 0), (1011, 2), (-1, 0), (-3, 1), (-15, 2)],
)  # fmt: skip
def test_russian_plural_forms(number, form):
    for noun, (_, forms) in NOUNS.items():
        assert Words("ru").noun(number, noun) == forms[form]


@pytest.mark.parametrize(("number", "form"), [(0, 1), (1, 0), (2, 1), (11, 1), (21, 1), (-1, 0)])
def test_english_plural_forms(number, form):
    for noun, (forms, _) in NOUNS.items():
        assert Words("en").noun(number, noun) == forms[form]


def test_nouns_have_as_many_forms_as_the_language():
    for english, russian in NOUNS.values():
        assert (len(english), len(russian)) == (2, 3)


def test_numbers():
    english, russian = Words("en"), Words("ru")
    assert [english.number(n) for n in (-50, 0, 9999, 641601)] == ["−50", "0", "9999", "641,601"]
    assert russian.number(641601) == "641\u00a0601"
    assert english.percent(0.5) == "50.0%"
    assert russian.percent(0.12346, 2) == "12,35\u00a0%"
    assert english.decimal(-0.04, 1) == "0.0"
    assert english.decimal(-0.06, 1) == "−0.1"


def test_what_is_not_certain_is_not_written_as_100_per_cent():
    assert Words("en").percent(0.99999, 2) == ">\u200999.99%"
    assert Words("en").percent(1.0, 2) == "100.00%"


def test_sentences_agree_with_their_numbers():
    say = Words("ru")
    one, five = (say("note.win", needs=n).replace("\u00a0", " ") for n in (21, 105))
    assert "21 очко" in one
    assert "105 очков" in five
    assert say("note.bolts", penalty=50).replace("\u00a0", " ").endswith("50 очков.")


@pytest.mark.parametrize("language", ["de", "", "EN"])
def test_an_unknown_language_is_refused(language):
    with pytest.raises(ChartError, match="must be one of en, ru"):
        Words(language)


def test_listing():
    assert Words("en").listing(["a"]) == "a"
    assert Words("ru").listing(["a", "b", "c"]) == "a, b и c"
    assert LANGUAGES == ("en", "ru")
