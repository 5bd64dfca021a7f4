"""The drawings of the charts: files that parse, text that fits, bytes that repeat."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from charts_games import GAMES, SMALL, pocket, solved

from solver import State
from solver.charts import (
    ChartError,
    booklet,
    keep_guide,
    pocket_rule,
    position_sheet,
    threshold_map,
    threshold_maps,
)
from solver.charts.words import Words

matplotlib = pytest.importorskip("matplotlib")
pypdf = pytest.importorskip("pypdf")

from matplotlib.text import Text  # noqa: E402

from solver.charts.draw.book import draw_book  # noqa: E402
from solver.charts.draw.page import Page, region, width_of, wrapped  # noqa: E402

KINDS = ("position", "entry", "thresholds", "keeps", "pocket", "book")
SLACK = 0.6  # points by which boxes of text may touch: they are taller than their letters


@cache
def chart(kind):
    solution = solved(SMALL)
    return {
        "position": lambda: position_sheet(solution, State.parse("45b1:50b2")),
        "entry": lambda: position_sheet(solution, State.parse("-50n:95")),
        "thresholds": lambda: threshold_map(solution, 1, 2),
        "keeps": lambda: keep_guide(solution, games=60),
        "pocket": pocket,
        "book": lambda: replace(short(booklet(solution, games=60)), pocket=pocket()),
    }[kind]()


def short(book):
    """A booklet with fewer maps and sheets."""
    return replace(book, maps=book.maps[:2], sheets=(book.sheets[0], *book.sheets[-2:]))


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """The PDF of a kind of chart in a language, made once."""

    @cache
    def made(kind, language):
        folder = tmp_path_factory.mktemp("printed")
        (path,) = chart(kind).save(folder / "chart.pdf", language)
        return pypdf.PdfReader(path, strict=True)

    return made


def texts_of(figure):
    """The boxes of all texts of a page in points, and what they say."""
    renderer = figure.canvas.get_renderer()
    texts = [text for text in figure.findobj(Text) if text.get_text().strip()]
    scale = 72.0 / figure.dpi
    boxes = np.array([text.get_window_extent(renderer).extents * scale for text in texts])
    return boxes, [text.get_text() for text in texts]


def assert_readable(figure):
    """No text leaves the page, and no two overlap."""
    boxes, said = texts_of(figure)
    width, height = figure.get_size_inches() * 72.0
    for box, text in zip(boxes, said, strict=True):
        assert box[0] >= 0 and box[1] >= 0, text
        assert box[2] <= width and box[3] <= height, text
    low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    overlap = ((high - low) > SLACK).all(axis=2)
    np.fill_diagonal(overlap, False)
    pairs = [(said[a], said[b]) for a, b in np.argwhere(overlap) if a < b]
    assert pairs == []


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("kind", KINDS)
def test_text_stays_on_the_page_and_does_not_overlap(kind, language):
    for figure in chart(kind).figures(language):
        assert_readable(figure)


def test_overlaps_and_cuts_are_found():
    page = Page(Words())
    page.text(50.0, 50.0, "here", 12.0)
    page.text(52.0, 51.0, "there", 12.0)
    with pytest.raises(AssertionError, match="there"):
        assert_readable(page.figure)
    page = Page(Words())
    page.text(205.0, 50.0, "over the rim", 12.0)
    with pytest.raises(AssertionError, match="over the rim"):
        assert_readable(page.figure)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_other_games_can_be_drawn_too(game):
    solution = solved(GAMES[game])
    for made in (position_sheet(solution, State()), threshold_map(solution)):
        for figure in made.figures("ru"):
            assert_readable(figure)


@pytest.mark.parametrize("game", ["lenient", "pig"])
def test_booklets_of_other_games(game):
    figures = short(booklet(solved(GAMES[game]), games=20)).figures("ru")
    assert len(figures) >= 6


def plain(text):
    """Text as it comes out of a PDF, without its line breaks and hard spaces."""
    return re.sub(r"\s+", " ", text.replace("\u00a0", " ").replace("\u2009", " "))


EXPECTED = {
    "position": (["45 against 50", "your chance to win", "Banking 10"],
                 ["45 против 50", "ваш шанс на победу", "Ещё один болт", "обгон"]),
    "entry": (["−50 against 95", "You are not in the game yet", "entry not reached"],
              ["−50 против 95", "Вы ещё не в игре", "вход не набран"]),
    "thresholds": (["From which turn total on to bank", "2 dice left", "dump truck"],
                   ["Осталось: 2 кубика", "у соперника: 2 болта", "самосвал", "бочка"]),
    "keeps": (["Which dice to set aside", "60 games"], ["Какие кубики откладывать", "60 партий"]),
    "pocket": (["The rule to keep in mind", "Bank from", "Where banking brings you to 45–65"],
               ["Правило на память", "Писать от", "В бочку пишите не меньше 30", "3 исключения"]),
    "book": (["Sharabeshki", "The rules in brief", "Contents", "How to read the charts"],
             ["Шарабешки", "Правила коротко", "вход", "болт", "бочка", "самосвал", "обгон"]),
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_pdf_parses_and_says_what_it_should(kind, language, printed):
    reader = printed(kind, language)
    assert len(reader.pages) == (12 if kind == "book" else 1)
    text = plain(" ".join(page.extract_text() for page in reader.pages))
    for phrase in EXPECTED[kind][language == "ru"]:
        assert phrase in text
    for page in reader.pages:
        assert (round(float(page.mediabox.width)), round(float(page.mediabox.height))) == (595, 842)
    assert_fonts_embedded(reader)
    assert set(reader.metadata) & {"/CreationDate", "/ModDate"} == set()
    assert reader.metadata["/Title"] == Words(language)(f"{chart(kind).kind}.kind")


def assert_fonts_embedded(reader):
    fonts = {}
    for page in reader.pages:
        for font in page["/Resources"]["/Font"].values():
            font = font.get_object()
            for inner in font.get("/DescendantFonts", [font]):
                fonts[font["/BaseFont"]] = inner.get_object()
    assert fonts
    for name, font in fonts.items():
        assert "DejaVu" in name
        descriptor = font["/FontDescriptor"].get_object()
        assert {"/FontFile2", "/FontFile3"} & set(descriptor), f"{name} is not embedded"


def test_the_pages_of_a_booklet_are_numbered(printed):
    pages = printed("book", "ru").pages
    for number, page in enumerate(pages, start=1):
        assert f"{number} / {len(pages)}" in plain(page.extract_text())


def test_a_whole_booklet_has_under_30_pages():
    made = booklet(solved(SMALL), games=20)
    assert 15 < len(draw_book(made, Words("en"))) < 30


def test_the_contents_name_the_right_pages(printed):
    pages = [plain(page.extract_text()) for page in printed("book", "en").pages]
    for chapter, title in (("Which dice to set aside", "Which dice to set aside"),
                           ("The rule to keep in mind", "POCKET RULE"),
                           ("The most frequent situations", "FREQUENT SITUATION")):  # fmt: skip
        entry = re.search(rf"{chapter} (\d+)", pages[0])
        assert title in pages[int(entry[1]) - 1]


@pytest.mark.parametrize("ending", [".pdf", ".svg", ".png"])
def test_the_same_chart_gives_the_same_bytes(ending, tmp_path):
    made = [
        [path.read_bytes() for path in chart("position").save(tmp_path / f"{k}{ending}", "ru")]
        for k in range(2)
    ]
    assert made[0] == made[1]


def test_another_process_gives_the_same_bytes(tmp_path):
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from charts_games import SMALL, solved\n"
        "from solver import State\n"
        "from solver.charts import position_sheet, threshold_map\n"
        "import matplotlib; matplotlib.rcParams['font.size'] = 33\n"
        "position_sheet(solved(SMALL), State.parse('45b1:50b2')).save(sys.argv[2] + '/a.pdf')\n"
        "threshold_map(solved(SMALL), 1, 2).save(sys.argv[2] + '/b.svg', 'ru')\n"
    )
    arguments = [sys.executable, "-P", "-c", code, str(Path(__file__).parent), str(tmp_path)]
    subprocess.run(arguments, check=True, env={"PYTHONHASHSEED": "7", **_environment()})
    chart("position").save(tmp_path / "a2.pdf")
    chart("thresholds").save(tmp_path / "b2.svg", "ru")
    for one, two in (("a.pdf", "a2.pdf"), ("b.svg", "b2.svg")):
        assert (tmp_path / one).read_bytes() == (tmp_path / two).read_bytes()


def _environment():
    return {name: value for name, value in os.environ.items() if name != "PYTHONHASHSEED"}


def test_pictures(tmp_path):
    (path,) = chart("position").save(tmp_path / "a.svg")
    root = ElementTree.parse(path).getroot()
    assert root.get("viewBox").split()[2].startswith("595")
    (path,) = chart("position").save(tmp_path / "a.png", dpi=50)
    data = path.read_bytes()
    size = [int.from_bytes(data[start : start + 4]) for start in (16, 20)]
    assert size == [413, 584]


def test_many_pages_as_pictures_are_numbered(tmp_path):
    charts = threshold_maps(solved(GAMES["pig"]))
    charts = replace(charts, maps=charts.maps * 10)
    seen = []
    paths = charts.save(tmp_path / "map.png", dpi=20, on_stage=lambda *at: seen.append(at))
    assert [path.name for path in paths] == [f"map-{k:02}.png" for k in range(1, 11)]
    assert all(path.stat().st_size > 1000 for path in paths)
    assert seen == [("pages", pytest.approx(k / 10)) for k in range(1, 11)]


def test_one_page_of_several():
    figure = chart("book").figure("ru", 2)
    assert any("Как читать" in text for text in texts_of(figure)[1])
    for page in (0, 13):
        with pytest.raises(ChartError, match="must be from 1 to 12"):
            chart("book").figure(page=page)


def test_a_broken_write_leaves_nothing_behind(tmp_path):
    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        chart("position").save(tmp_path / "a.pdf", on_stage=stop)
    assert list(tmp_path.iterdir()) == []


def test_a_figure_shows_itself_in_a_notebook():
    (figure,) = chart("position").figures()
    assert figure._repr_svg_().lstrip().startswith("<?xml")


# ----------------------------------------------------------------------------------------- pages


@pytest.mark.parametrize("seed", range(5))
def test_a_region_covers_its_cells_and_no_others(seed):
    rng = np.random.default_rng(seed)
    mask = rng.random((9, 7)) < (0.2, 0.5, 0.8, 0.0, 1.0)[seed]
    xs, ys = np.cumsum(rng.random(8) + 0.1), np.cumsum(rng.random(10) + 0.1)
    path = region(mask, xs.tolist(), ys.tolist())
    boxes = path.vertices.reshape(-1, 5, 2)
    for row in range(9):
        for column in range(7):
            x, y = (xs[column] + xs[column + 1]) / 2, (ys[row] + ys[row + 1]) / 2
            inside = (
                (boxes[:, :, 0].min(axis=1) < x) & (x < boxes[:, :, 0].max(axis=1))
                & (boxes[:, :, 1].min(axis=1) < y) & (y < boxes[:, :, 1].max(axis=1))
            )  # fmt: skip
            assert inside.sum() == mask[row, column]


def test_text_is_wrapped_to_the_width():
    text = "Бросьте и отложите хотя бы одну комбинацию с очками, остальные — по желанию."
    lines = wrapped(text, 40.0, 9.0)
    assert " ".join(lines) == text
    assert len(lines) > 2
    assert all(width_of(line, 9.0) <= 40.0 for line in lines)


def test_widths_are_those_of_the_drawn_text():
    page = Page(Words("ru"))
    page.text(20.0, 50.0, "Самосвал 555 — 12,3 %", 11.0, weight="bold")
    (box,), _ = texts_of(page.figure)
    drawn = (box[2] - box[0]) * 25.4 / 72.0
    assert drawn == pytest.approx(width_of("Самосвал 555 — 12,3 %", 11.0, "bold"), rel=0.05)


# ------------------------------------------------------------------------------ the default game


SAMPLE = Path(__file__).parent.parent / "docs" / "sheet.svg"
COMMAND = "sharabeshki chart position 195:540 --output docs/sheet.svg"


def test_the_sample_page_is_current(default_solution, tmp_path):
    """The page in docs/ is what the command beside it gives."""
    text = SAMPLE.read_text(encoding="utf-8")
    drawn_with = re.search(r"Matplotlib v([\w.]+)", text)[1]
    if drawn_with != matplotlib.__version__:
        pytest.skip(f"the page was drawn with matplotlib {drawn_with}")
    assert COMMAND in (SAMPLE.parent / "charts.md").read_text(encoding="utf-8")
    position_sheet(default_solution, State(195, 540)).save(tmp_path / "sheet.svg")
    assert (tmp_path / "sheet.svg").read_text(encoding="utf-8") == text


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_card_of_the_default_game(default_solution, language):
    (figure,) = pocket_rule(default_solution).figures(language)
    assert_readable(figure)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_booklet_of_the_default_game(default_solution, language, tmp_path):
    begun = time.perf_counter()
    made = booklet(default_solution)
    (path,) = made.save(tmp_path / "book.pdf", language)
    seconds = time.perf_counter() - begun
    reader = pypdf.PdfReader(path, strict=True)
    assert len(reader.pages) < 30
    assert_fonts_embedded(reader)
    for figure in made.figures(language):
        assert_readable(figure)
    assert seconds < 60 * (1 if os.getloadavg()[0] < 1.5 else 5), "only meaningful when idle"
