"""The page in a real browser, from the disk: what it shows, that nothing leaves it, and that anyone can use it."""

import http.server
import json
import random
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from exactperm import (
    Budget,
    compare_all,
    decimal_string,
    fast_permutation_test,
    items_needed,
    permutation_test,
)
from exactperm.arithmetic.writing import exact_text
from exactperm.cli import main as cli
from exactperm.cli.save import examples
from exactperm.files import answer
from exactperm.null.float_result import between
from exactperm.web import build
from tests.workload import paper_workload
from web import browser
from web.questions import FILES, SENSIBLE, as_command

LACKING = browser.missing()
pytestmark = [
    pytest.mark.whole,
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(LACKING),
        reason=f"needs {'; '.join(LACKING.values())}; or python3 tests/web/browser.py",
    ),
]

EXAMPLES = {example["name"]: example for example in examples()}
PATIENCE = 120
"""Seconds to wait for what is expected; on a free core all of it takes less than five."""


def saved_page(path):
    """Save the page by the command."""
    known = str(browser.folder_of("pyodide"))
    assert cli.main(["save", "page", str(path), "--pyodide", known]) == 0
    return path


@pytest.fixture(scope="module")
def html(tmp_path_factory):
    """The page as a file."""
    return saved_page(tmp_path_factory.mktemp("page") / "page.html")


@pytest.fixture(scope="module")
def downloads(tmp_path_factory):
    """Where Firefox saves files."""
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def running(playwright, downloads):
    running = browser.launched(playwright, downloads)
    yield running
    running.close()


class Tab:
    """One page in a browser; all that it requested, and all errors that it met."""

    def __init__(self, running, url, fragment="", ready=True, **options):
        self.context = running.new_context(
            **{"viewport": {"width": 1280, "height": 900}, **options}
        )
        self.page = self.context.new_page()
        self.requests, self.errors = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self.errors.append(message.text))
        self.page.on("dialog", lambda dialog: self.errors.append(dialog.message))
        self.url = url
        self.page.goto(self.url + fragment)
        if ready:
            self.until("python.ready")

    def __getattr__(self, name):
        """Return what the page of the browser has of this name."""
        return getattr(self.page, name)

    def until(self, expression):
        """Wait until an expression is true. The policy of the page forbids the eval of Playwright's own waiting."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            assert time.monotonic() < end, (
                f"{expression}: {self.text('#engine')} {self.text('#status')} {self.errors}"
            )
            time.sleep(0.01)

    def text(self, selector):
        return self.inner_text(selector)

    def shown(self, selector):
        return self.is_visible(selector)

    def reset(self):
        """No data, no settings."""
        self.evaluate("() => { apply(OF_THE_PAGE); takeText('', ''); }")
        self.until("!page.busy")

    def look(self):
        self.evaluate("() => { clearTimeout(lookTimer); return look(); }")

    def apply(self, **settings):
        self.evaluate("(said) => apply(said)", settings)

    def choose(self, **settings):
        """Choose by hand, and look at the data again."""
        for name, value in settings.items():
            self.select_option(f"#{name.replace('_', '-')}", value)
            self.look()

    def drawn(self):
        self.until("!element('drawing').hidden && element('drawing').naturalWidth > 100")

    def texts(self, selector):
        return self.eval_on_selector_all(selector, "(all) => all.map((x) => x.textContent)")

    def count(self):
        """Press the button, and wait for the answer."""
        self.look()
        self.click("#count")
        self.until("!page.busy")

    def type(self, text):
        self.fill("#text", text)
        self.look()

    def example(self, name):
        self.evaluate("page.result = null")
        self.click(f'#examples button:has-text("{name}")')
        self.until("!page.busy && page.result !== null && element('stale').hidden")

    def drop(self, *files):
        """Drop files, each a name and a text, and wait until they are read."""
        before = self.evaluate("page.data")
        self.evaluate(
            """(files) => {
              const data = new DataTransfer();
              for (const [name, text] of files) data.items.add(new File([text], name));
              const about = { dataTransfer: data, bubbles: true, cancelable: true };
              document.body.dispatchEvent(new DragEvent("drop", about));
            }""",
            files,
        )
        self.until(f"page.data > {before}")
        self.look()

    def paste(self, text):
        """What a browser does for Ctrl+V: an event, and unless that is prevented the text goes into the field."""
        self.evaluate(
            """(text) => {
              const data = new DataTransfer();
              data.setData("text/plain", text);
              const event = new ClipboardEvent("paste", { cancelable: true, bubbles: true });
              Object.defineProperty(event, "clipboardData", { value: data }); // Firefox takes none from scripts
              if (element("text").dispatchEvent(event)) element("text").setRangeText(text);
              element("text").dispatchEvent(new Event("input", { bubbles: true }));
            }""",
            text,
        )

    def result(self, field):
        return self.evaluate(f"page.result.{field}")

    def overflows(self):
        return self.evaluate(
            "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        )

    def close(self):
        self.context.close()
        assert self.errors == []
        foreign = [url for url in self.requests if not url.startswith(("blob:", "data:"))]
        assert [
            url for url in foreign if url != self.url and not url.startswith(f"{self.url}parts/")
        ] == []


@pytest.fixture(scope="module")
def shared(running, html):
    emulated = {"offline": True, "permissions": ["clipboard-read", "clipboard-write"]}
    tab = Tab(running, html.as_uri(), **({} if browser.FIREFOX else emulated))
    yield tab
    tab.close()


@pytest.fixture
def tab(shared):
    """A page that is ready and empty."""
    shared.reset()
    return shared


@pytest.fixture
def sequences(request):
    """How many random sequences are tried: all where everything runs."""
    return 300 if request.config.getoption("whole") else 12


@pytest.fixture
def opened(running, html):
    """A function that opens a page of its own."""
    tabs = []

    def opened(fragment="", url=None, **options):
        tabs.append(Tab(running, url or html.as_uri(), fragment, **options))
        return tabs[-1]

    yield opened
    for tab in tabs:
        tab.close()


@pytest.fixture
def saved(tab, downloads):
    """A function that presses a button, and returns the text of the file that it saves."""

    def saved(button):
        if not browser.FIREFOX:
            with tab.expect_download() as download:
                tab.click(button)
            return Path(download.value.path()).read_text(encoding="utf-8")
        before = set(downloads.iterdir())
        tab.click(button)
        end = time.monotonic() + PATIENCE
        while not (
            made := [path for path in set(downloads.iterdir()) - before if path.stat().st_size]
        ):
            assert time.monotonic() < end
            time.sleep(0.05)
        return made[0].read_text(encoding="utf-8")

    return saved


# ----------------------------------------------------------------------------------------- the file


def test_the_page_is_small_and_always_the_same(html):
    assert html.stat().st_size <= 11_000_000
    assert build.page(str(browser.folder_of("pyodide")), examples()) == {
        "index.html": html.read_bytes()
    }


LEAKS = (Path(__file__).parent / "leaks.js").read_text(encoding="utf-8")


def test_nothing_leaves_the_page_and_nothing_foreign_runs(opened):
    """A server waits for what eleven ways send, and gets nothing.

    Where a form or a frame is blocked, Chromium has opened a connection in advance, through which
    it sends no byte.
    """
    came = []

    class Server(http.server.BaseHTTPRequestHandler):
        def handle_one_request(self):
            came.append(self.rfile.readline(1000))
            self.close_connection = True

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        tab = opened()
        went = tab.evaluate(LEAKS, f"http://127.0.0.1:{server.server_port}/x")
        server.shutdown()
    assert (list(filter(None, came)), went) == ([], [])
    tab.evaluate(
        """() => {
          document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.ran = 1'>");
          document.body.insertAdjacentHTML("beforeend", "<p onclick='window.ran = 2'>x</p>");
          document.body.lastElementChild.click();
          document.body.append(Object.assign(document.createElement("script"), { textContent: "window.ran = 3" }));
        }"""
    )
    tab.wait_for_timeout(100)
    assert tab.evaluate("window.ran") is None
    tab.errors.clear()  # the browser reports each of them as blocked
    tab.requests.clear()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        """Say nothing."""


def test_a_folder_on_a_web_server(opened, tmp_path):
    """It reads its parts, below any path, and nothing afterwards; without one of them, or from the disk, it says so."""
    site = saved_page(tmp_path / "site")
    handler = partial(Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/site/"
        tab = opened(url=url)
        assert not tab.shown("#loading")
        tab.example("Darwin's maize")
        assert tab.result("whole") == "863/16384"
        assert len(tab.requests) > len(list((site / "parts").iterdir()))
        tab.requests.clear()
        assert tab.evaluate(LEAKS, url) == []
        tab.errors.clear()  # the browser reports each of them as blocked
        tab.requests.clear()
        (site / "parts" / "lock.bin").write_bytes(b"other")
        broken = opened(url=url, ready=False)
        broken.until("element('engine').textContent.includes('failed')")
        assert broken.text("#engine") == (
            "Python failed: parts/lock.bin cannot be read, or is not the part that this page was built with"
        )
        broken.errors.clear()
        server.shutdown()
    disk = opened(url=(site / "index.html").as_uri(), ready=False)
    disk.until("element('engine').textContent.includes('failed')")
    assert "from the disk, open the page that is one file" in disk.text("#engine")
    disk.errors.clear()
    disk.requests.clear()


# ------------------------------------------------------------------------------------------ results


@pytest.mark.sample
def test_darwin_and_a_published_p(tab):
    assert tab.text("#engine") == "Ready. Nothing leaves this page."
    assert f"Pyodide {build.PYODIDE}" in tab.text("#versions")
    assert tab.is_disabled("#count")
    tab.example("Darwin's maize")
    assert tab.text("#answer").startswith("the mean of the differences is 20.9333")
    assert (tab.text("#p"), tab.result("whole")) == ("0.0527", "863/16384")
    assert "\N{MINUS SIGN}67 to 75" in tab.text("#facts")
    assert tab.text("#interval").startswith("95% interval of the differences: ")
    assert not tab.shown("#verdict")
    tab.fill("#published", "p < .05")
    assert tab.shown("#stale")
    tab.click("#judge")
    tab.until("!page.busy")
    assert not tab.shown("#stale")
    assert "exact: 0.0526733" in tab.text("#verdict")
    tab.click("#copy-fraction")
    tab.until("element('copy-fraction').textContent === 'Copied'")
    assert tab.evaluate("navigator.clipboard.readText()") == "863/16384"
    tab.drawn()
    assert tab.get_attribute("#drawing", "alt").startswith("Null distribution, the tail")


def test_refused_work_broken_links_and_an_example_before_python_is_there(tab):
    tab.example("Real-valued scores")
    d = EXAMPLES["Real-valued scores"]["text"].split()[1:]
    bracket = fast_permutation_test(d, [0] * len(d), budget=Budget(seconds=60)).decimal_bracket()
    assert between(bracket) in tab.text("#known")
    assert "The exact count was refused: 300 pairs" in tab.text("#refused")
    assert not tab.shown("#copy-fraction")
    tab.drawn()
    tab.reset()
    tab.paste(table(*paper_workload(1000)))
    tab.apply(seconds="0.0000001")
    tab.count()
    assert "Refused before it started" in tab.text("#failure")
    assert tab.text("#answers").startswith("Limit, in seconds: 2")
    tab.evaluate(
        "location.hash = '#statistic=nothing/9&alternative=%3Cb%3E&columns=%1f&missing=maybe'"
    )
    tab.wait_for_timeout(50)
    assert [tab.input_value(f"#{name}") for name in ("statistic", "alternative")] == USUAL
    tab.reset()
    tab.evaluate("() => { restartWorker(); }")
    tab.example("Student's sleep data")
    assert tab.result("whole") == "1/256"


USUAL = ["difference", "two-sided"]


def table(u, v):
    return "A,B\n" + "".join(f"{a},{b}\n" for a, b in zip(u, v))


WATCH = """() => {
  window.frames_seen = 0;
  const seen = () => { window.frames_seen++; requestAnimationFrame(seen); };
  requestAnimationFrame(seen);
}"""


def test_the_workload_of_the_paper(tab):
    """Ten thousand lines are never put into a field; while Python counts and draws, the page goes on drawing frames."""
    for n, name in ((1_000, "pasted data"), (10_000, "scores.csv")):
        u, v = paper_workload(n)
        tab.reset()
        if n == 1_000:
            tab.paste(table(u, v))
        else:
            tab.drop((name, table(u, v)))
        assert tab.evaluate("element('text').value.length") <= 20_000
        tab.evaluate(WATCH)
        tab.count()
        assert tab.result("whole") == exact_text(permutation_test(u, v).pvalue)
        assert tab.evaluate("window.frames_seen") > 3
        assert json.loads(tab.result("record"))["files"][0]["name"] == name


FRESH = [
    ("seeds.csv", "item,a1,a2,b1,b2\nq1,1,2,3,3\nq2,2,2,4,3\nq3,0,1,1,2\n"),
    ("holes.csv", "item,a,b\nq1,.5,1\nq2,NA,3\nq3,.2,1\n"),
    ("plain.csv", "a,b\n1,2\n1,2\n4,4\n"),
]


@pytest.mark.sample
def test_new_data_put_every_setting_back(tab):
    """Whatever was chosen for other data, by hand, by an example or by an answer to a question."""
    usual = tab.evaluate("{ const { columns, ...rest } = settings(); rest }")
    tab.example("F1 of six documents")
    for name, text in FRESH:
        tab.evaluate(
            "() => apply({ missing: 'drop', header: 'no', runs: 'within', alternative: 'less', groups: 'a' })"
        )
        tab.drop((name, text))
        assert not tab.shown("#answer")
        tab.count()
        shown = tab.evaluate("{ const { columns, ...rest } = settings(); rest }")
        assert shown == usual
    assert tab.result("whole") == exact_text(permutation_test([1, 1, 4], [2, 2, 4]).pvalue)
    tab.select_option("#alternative", "less")
    tab.drop(("holes.csv", FRESH[1][1]))
    tab.count()
    assert "a value is missing, in 1 of 3 items" in tab.text("#failure-text")


def test_what_is_not_shown_is_not_said(tab):
    """A statistic, or two samples, without a setting hides it; what it had does not count."""
    tab.type("id,a,b,doc\n1,5,2,x\n2,7,3,x\n3,4,4,y\n4,9,1,z\n")
    tab.choose(groups="doc")
    for name, value in (("statistic", "sign"), ("statistic", "mean"), ("unpaired", "yes")):
        tab.choose(**{name: value})
        assert tab.shown("#groups") is (value == "mean")
        assert tab.input_value("#groups") == ""
    tab.choose(statistic="f1")
    assert (tab.shown("#unpaired"), tab.input_value("#unpaired")) == (False, "")


def test_settings_outlive_edits_of_the_data_but_not_other_data(tab):
    tab.type("a,b,c\n5,2,1\n7,3,1\n")
    tab.choose(column_0="a", column_1="c")
    tab.type("a,b,c\n5,2,1\n7,3,1\n8,8,8\n")
    assert [tab.input_value(f"#column-{i}") for i in (0, 1)] == ["a", "c"]
    tab.type("x,y,z\n5,2,9\n7,3,9\n")
    tab.click("#count")
    tab.until("!page.busy && element('failure-text').textContent.includes('which are compared?')")
    assert tab.input_value("#column-0") == ""
    tab.select_option("#alternative", "less")
    tab.paste("x,y,z\n1,2,9\n7,3,9\n")
    assert tab.input_value("#alternative") == "two-sided"


# ------------------------------------------------------------------------------------- leaderboards


def column(tab, i):
    """Return the texts of one column of the tests, from the top down."""
    return tab.texts(f"#tests tbody tr td:nth-child({i + 1})")


def compare(tab):
    tab.evaluate("page.result = null")
    tab.click("#compare")
    tab.until("!page.busy && (page.result !== null || !element('failure').hidden)")


def test_a_leaderboard(tab):
    """Five systems, 500 items: means, adjusted decisions, the picture, the record, and rows that headers sort."""
    rng = random.Random(3)
    scores = {name: [rng.randrange(10) + i for _ in range(500)] for i, name in enumerate("abcde")}
    rows = [",".join(map(str, row)) for row in zip(range(500), *scores.values())]
    tab.drop(("systems.csv", "\n".join(["id,a,b,c,d,e", *rows])))
    assert tab.is_disabled("#compare")
    for i in range(1, 6):
        tab.check(f"#system-{i}")
    assert tab.text("#compare") == "Compare 5"
    compare(tab)
    board = compare_all(scores)
    wins = sum(row.significant("0.05") for row in board)
    assert tab.text("#p") == f"{wins} of 10"
    assert tab.text("#means tbody tr:first-child") == f"e\t{sum(scores['e']) / 500:g}\t0"
    assert column(tab, 4) == [decimal_string(row.adjusted, 4) for row in board]
    tab.drawn()
    assert tab.get_attribute("#drawing", "alt").startswith(
        f"Decisions between all pairs of systems. {wins} of 10"
    )
    by_p = [decimal_string(p, 4) for p in sorted(row.pvalue for row in board)]
    tab.click("#tests th:nth-child(4) button")
    for order, shown in (("ascending", by_p), ("descending", by_p[::-1])):
        assert tab.get_attribute("#tests th:nth-child(4)", "aria-sort") == order
        assert column(tab, 3) == shown
        tab.keyboard.press("Enter")
    tab.keyboard.press("Shift+Tab")
    tab.keyboard.press("Space")
    shifts = [sum(scores[row.first]) - sum(scores[row.second]) for row in board]
    assert column(tab, 2)[0] == f"{min(shifts) / 500:g}".replace("-", "\N{MINUS SIGN}")
    assert tab.eval_on_selector_all("#tests [aria-sort]", "(all) => all.length") == 1
    tab.example("Student's sleep data")
    assert not tab.shown("#board")
    assert not tab.shown("#compare")


def test_what_is_chosen_of_a_leaderboard(tab, opened):
    """Choices outlive edits of the data, a link holds them, and other statistics than the difference have none."""
    text = "a,b,c,d\n1,2,3,4\n2,3,4,6\n4,3,1,9\n"
    tab.type(text)
    tab.click("#all-systems")
    tab.uncheck("#system-1")
    tab.select_option("#adjust", "bonferroni")
    tab.fill("#alpha", "1/2")
    tab.type(text + "5,6,7,1\n")
    assert not tab.is_checked("#system-1")
    compare(tab)
    assert "at level 0.5; adjusted by bonferroni" in tab.text("#words")
    other = opened("#" + tab.evaluate("settingsLink()").partition("#")[2])
    other.type(text)
    assert [other.is_checked(f"#system-{i}") for i in range(4)] == [True, False, True, True]
    other.check("#system-1")
    other.select_option("#groups", "c")
    assert other.text("#compare") == "Compare 3"
    other.fill("#alpha", "2")
    compare(other)
    assert "alpha is '2': it must lie between 0 and 1" in other.text("#failure")
    other.evaluate("apply({ statistic: 'f1' })")
    assert not other.shown("#compare")


def test_other_data_of_the_same_name(tab):
    """Python keeps files by their names: a text that comes back after a long one is sent again."""
    for text, p in (("3,1\n3,1\n", "1/2"), ("1,1\n" * 6000, "1"), ("3,1\n3,1\n", "1/2")):
        tab.evaluate("(text) => takeText('a,b\\n' + text, 'Pasted data')", text)
        tab.count()
        assert tab.result("whole") == p


@pytest.mark.sample
def test_a_mistake_is_shown_at_its_place(tab):
    tab.type("a,b\n1,2\n3,x4\n5,6\n")
    tab.choose(column_0="a", column_1="b")
    tab.count()
    assert tab.text("#failure-text").startswith("pasted data, line 3, column b: ")
    tab.click("#show-line")
    field = "document.activeElement"
    assert (
        tab.evaluate(f"{field}.value.slice({field}.selectionStart, {field}.selectionEnd)") == "3,x4"
    )
    tab.type("a,b\n1,2\n3,4\n3,6\n")
    assert not tab.shown("#failure")
    tab.count()
    assert tab.shown("#answer")


def answers(*said):
    told = [{"settings": one, "words": words, "choose": ""} for one, words in said]
    return f"showFailure({json.dumps({'error': 'say --force', 'answers': told})})"


def test_a_question_is_answered_by_a_button(tab):
    """An answer has settings, never columns; one without a control has no button."""
    tab.type("a,b\n1,2\nNA,3\n1,2\n")
    tab.count()
    assert tab.text("#answers").startswith("Missing: drop")
    tab.click("#answers button")
    tab.until("page.result !== null && !page.busy")
    assert tab.input_value("#missing") == "drop"
    assert tab.result("whole") == exact_text(permutation_test([1, 1], [2, 2]).pvalue)
    tab.evaluate(answers(({"method": "certified"}, "write 1"), ({"columns": "a"}, ""), ({}, "x")))
    assert "write 1" in tab.text("#answers")
    assert not tab.query_selector("#answers button")
    tab.evaluate("showFailure({ error: 'no' })")
    assert tab.text("#answers") == ""


@pytest.mark.sample
def test_systems_of_a_long_table_appear_in_the_lists(tab):
    rows = [f"q{i},{m},{(i * 3 + j) % 7}" for i in range(9) for j, m in enumerate("AB")]
    tab.drop(("log.csv", "\n".join(["id,model,score", *rows])))
    tab.count()
    assert "which are compared?" in tab.text("#failure-text")
    assert "Choose in the question: the columns" in tab.text("#answers")
    assert not tab.query_selector("#answers button")
    assert "score\tnumbers from 0 to 6, 7 different\t0\t4" in tab.text("#listing")
    tab.evaluate("() => { element('long').open = true; }")
    tab.choose(system="model", score="score", id="id")
    assert [tab.input_value(f"#column-{i}") for i in (0, 1)] == ["A", "B"]
    tab.count()
    u, v = [[(i * 3 + j) % 7 for i in range(9)] for j in (0, 1)]
    assert tab.result("whole") == exact_text(permutation_test(u, v).pvalue)
    assert tab.shown("#listing")
    tab.select_option("#score", "id")
    tab.count()
    assert "the column 'id' is named twice" in tab.text("#failure-text")


def test_an_error_is_seen_from_the_button(narrow):
    """The button is below the window's edge where the form is long; the result begins beside the form's start."""
    tab = narrow
    for height in (500, 800):
        tab.set_viewport_size({"width": 1280, "height": height})
        tab.reset()
        tab.type("baseline,new\nabc,1\n2,3\n")
        tab.locator("#count").scroll_into_view_if_needed()
        tab.count()
        assert tab.text("#status") == "Not computed: see the result."
        edges = "(({ top, bottom }) => [top >= 0, bottom <= innerHeight])"
        assert tab.evaluate(f"{edges}(element('failure').getBoundingClientRect())") == [True, True]


def test_cancel(tab):
    rng = random.Random(1)
    text = "".join(f"{rng.randrange(10**6)},{rng.randrange(10**6)}\n" for _ in range(2500))
    tab.drop(("long.csv", "a,b\n" + text))
    tab.evaluate("apply({ seconds: '100000', header: 'yes' })")
    tab.look()
    tab.click("#count")
    tab.click("#cancel")
    tab.until("!page.busy && python.ready")
    assert tab.text("#status") == "Cancelled."
    tab.reset()
    tab.example("Student's sleep data")
    assert tab.result("whole") == "1/256"


def test_python_that_fails_is_started_again(tab):
    """What no test of the package has met is shown, and the page can go on."""
    told = tab.evaluate("ask({ do: 'nothing' }).catch((error) => error.message)")
    assert told.startswith("Python failed: ")
    assert "KeyError: 'nothing'" in told
    tab.until("python.ready")
    assert "KeyError: 'nothing'" in tab.text("#engine")
    tab.example("Student's sleep data")
    assert tab.result("whole") == "1/256"


# ------------------------------------------------------------------------------------ as the command

QUESTION = ["statistic", "alternative", "runs", "missing", "header", "differences", "unpaired"]
ROLES = ["id", "system", "score", "groups", "run", "by", "strata"]


def acted(tab, rng):
    """Do one of the things that a person does between two counts."""
    column = [f"column-{rng.randrange(3)}"]
    kind = rng.choice([QUESTION, QUESTION, ROLES, column, column, None])
    if kind is None:
        tab.evaluate(
            "(i) => { const all = document.querySelectorAll('#answers button');"
            " if (all.length && !element('failure').hidden) all[i % all.length].click(); }",
            rng.randrange(4),
        )
        tab.until("!page.busy")
        return
    tab.evaluate(
        """([name, i]) => {
          const field = element(name);
          if (!field || field.parentElement.hidden) return;
          if (field.tagName === "SELECT") field.selectedIndex = i % field.options.length;
          else field.value = ["a1+a2,b1+b2", "s,t", ""][i % 3];
          for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
        }""",
        [rng.choice(kind), rng.randrange(12)],
    )
    tab.look()


def compared(tab, rng, write, run):
    """Load data, choose, answer, load other data, and count; return whether there is a number."""
    for _ in range(rng.choice((1, 2, 3))):
        files = rng.choice(FILES)
        tab.drop(*files)
        if rng.random() < 0.6:
            said = SENSIBLE.get(files[0][0], {})
            tab.apply(**{**said, "columns": "\x1f".join(said.get("columns", []))})
            tab.evaluate("() => { page.edits++; }")
            tab.look()
        for _ in range(rng.choice((0, 0, 1, 2, 4))):
            acted(tab, rng)
        tab.count()
    number = tab.evaluate("element('failure').hidden && page.result && page.result.record")
    for name, text in files:
        write(text, name)
    words = as_command(tab.evaluate("settings()"), [name for name, _text in files])
    status, printed, _err = run(*words)
    assert (status == 0) is bool(number), (words, tab.text("#failure-text"))
    if number:
        assert json.loads(number)["pvalue"] == json.loads(printed)["pvalue"], words
    return bool(number)


@pytest.mark.sample
def test_the_number_is_that_of_the_command_for_what_is_shown(tab, write, run, sequences):
    rng = random.Random(5)
    found = [compared(tab, rng, write, run) for _ in range(sequences)]
    assert 0.1 < sum(found) / len(found) < 0.9


# --------------------------------------------------------------------------------------- in and out


def recount(tab, path):
    tab.evaluate("element('recounted').textContent = ''")
    tab.set_input_files("#record-file", str(path))
    tab.until("!page.busy && !['', 'Counting again'].includes(element('recounted').textContent)")
    return tab.text("#recounted")


@pytest.mark.sample
def test_a_record_is_downloaded_and_recounted(tab, saved, tmp_path):
    tab.example("Darwin's maize")
    path = tmp_path / "record.json"
    path.write_text(saved("#save-record"), encoding="utf-8")
    record = answer.read_record(path.read_text(encoding="utf-8"), "record")
    assert answer.recounted(record, budget=Budget()) == ""
    assert recount(tab, path).startswith("Confirmed: record.json")
    path.write_text(json.dumps({**record, "count": "1727"}), encoding="utf-8")
    assert recount(tab, path).startswith("Not confirmed: ")
    path.write_text("<script>", encoding="utf-8")
    assert recount(tab, path).startswith("Not confirmed: record.json is not JSON")
    assert saved("#save-picture").startswith("<svg ")


@pytest.mark.sample
def test_a_study_is_planned(tab):
    tab.fill("#gain", "0.3")
    tab.click("#plan")
    tab.until("!page.busy && !element('planned').hidden")
    assert tab.text("#planned").startswith(f"{items_needed('0.3', '0.1')} items: ")
    tab.until("element('sawtooth').naturalWidth > 100")
    tab.fill("#gain", "much")
    tab.click("#plan")
    tab.until("!page.busy && element('planned').textContent.includes('much')")
    assert not tab.shown("#sawtooth")


def test_a_link_holds_the_settings_and_not_the_data(tab, opened):
    tab.type("tp1,bad1,tp2,bad2\n11,22,33,44\n5,6,7,8\n")
    tab.evaluate("apply({ statistic: 'f1', alternative: 'less', published: 'p < .01 & more' })")
    tab.look()
    link = tab.evaluate("settingsLink()")
    fragment = "#" + link.partition("#")[2]
    assert not {"11", "22", "tp1"} & set(fragment.replace("=", "&").split("&"))
    other = opened(fragment)
    names = ("statistic", "alternative", "published", "header")
    for name in names:
        assert other.input_value(f"#{name}") == tab.input_value(f"#{name}")
    assert other.input_value("#text") == ""
    other.type("a,b,c,d\n1,2,3,4\n")
    assert other.input_value("#statistic") == "f1"
    other.type("x,y\n1,2\n")
    assert other.input_value("#statistic") == "difference"


# ------------------------------------------------------------------------------------- hostile data

PHONE = {"width": 360, "height": 844}


@pytest.fixture
def narrow(tab):
    """The same page as wide as a phone."""
    before = tab.viewport_size
    tab.set_viewport_size(PHONE)
    yield tab
    tab.set_viewport_size(before)


MARKUP = "<img src=x onerror=alert(1)><script>alert(2)</script>"


def harmless(tab):
    """Nothing of the data became an element, and nothing is wider than the window."""
    assert tab.evaluate("document.images.length") == 2
    assert tab.evaluate("document.querySelectorAll('script:not([type])').length") == 1
    assert not tab.overflows()
    assert tab.errors == []


def test_names_with_markup_are_text(narrow, tmp_path):
    tab, path = narrow, tmp_path / "record.json"
    record = {"method": MARKUP, "alternative": MARKUP, "swaps": {MARKUP: MARKUP}}
    path.write_text(json.dumps(record), encoding="utf-8")
    assert recount(tab, path).startswith("Not confirmed")
    tab.drop((f"{MARKUP}.csv", f'"{MARKUP}","b"\n1,2\n4,2\n1,1\n'))
    tab.fill("#published", MARKUP)
    tab.count()
    assert MARKUP in tab.text("#facts")
    assert MARKUP in tab.text("#held-name")
    assert "cannot be judged" in tab.text("#verdict")
    tab.drawn()
    harmless(tab)
    tab.drop(("systems.csv", f'"{MARKUP}",b\u202e,{"x" * 500}\n1,2,3\n4,2,9\n5,1,3\n'))
    tab.click("#all-systems")
    compare(tab)
    tab.drawn()
    assert MARKUP[:30] in tab.text("#systems-list")
    assert MARKUP[:30] in tab.text("#means")
    harmless(tab)


DEPTH = 10_000
NESTED = (
    "[" * DEPTH + "]" * DEPTH,
    '{"method": "dp", "alternative": "less", "swaps": ' + '{"a":' * DEPTH + "1" + "}" * DEPTH + "}",
)


def test_deep_nesting_is_refused_before_it_is_parsed(tab, tmp_path):
    """Ten thousand levels would end Python in the page: it says so, as data and as a record, and goes on."""
    tab.evaluate("() => { window.first = python.worker; }")
    for text in NESTED:
        (tmp_path / "record.json").write_text(text, encoding="utf-8")
        assert "more than 100 lists and objects are nested" in recount(
            tab, tmp_path / "record.json"
        )
        tab.drop(("deep.json", text))
        tab.count()
        assert "deep.json: not JSON: more than 100 lists and objects" in tab.text("#failure")
        tab.paste(text)
        tab.count()
        assert "Not computed" in tab.text("#failure")
        tab.reset()
    assert tab.evaluate("python.ready && python.worker === window.first")


ODD = [
    ("control.csv", "a\x00b,c\n1,2\n", "no text but a spreadsheet"),
    ("turned.csv", "a\u202eb,c\n1,1\n1,1\n", "a\\u202eb"),
    ("wide.csv", ",".join(["1"] * 1_000_000) + "\n", "names of columns, or an item?"),
    ("long.csv", f"{'x' * 100_000},{'y' * 100_000}\n1,1\n1,1\n", "x" * 30),
    ("none.csv", "\n\n", "is empty"),
]


def test_odd_files_and_many_systems(narrow):
    """Sixty systems are compared; more are refused, and a file of many columns offers the first ones only."""
    tab = narrow
    for name, text, said in ODD:
        tab.drop((name, text))
        tab.count()
        assert said in tab.text("#result")
        harmless(tab)
    for n, rows, said in ((60, 3, "of 1770"), (100_000, 1, "300 systems: their names must differ")):
        names, scores = [f"s{i}" for i in range(n)], [*map(str, range(n))]
        tab.drop(("wide.csv", "\n".join(map(",".join, [names, *[scores] * rows]))))
        tab.click("#all-systems")
        compare(tab)
        assert said in tab.text("#result")
        harmless(tab)


# ---------------------------------------------------------------------------------------- everybody

STATES = {
    "start": lambda tab: None,
    "result": lambda tab: tab.example("Darwin's maize"),
    "leaderboard": lambda tab: (
        tab.example("Leaderboard of five systems"),
        tab.click("#tests button"),
    ),
    "bracket": lambda tab: tab.example("Real-valued scores"),
    "mistake": lambda tab: (tab.reset(), tab.type("a,b\n1,2\n3,x4\n"), tab.count()),
    "file": lambda tab: tab.drop(("scores.csv", "a,b\n" + "1,2\n" * 100)),
    "options": lambda tab: tab.evaluate(
        "document.querySelectorAll('details').forEach((d) => { d.open = true; })"
    ),
}
CUT = """[...document.querySelectorAll("p, span, button, select, label, h2, h3, dd, dt, td, th, li, summary")].filter(
  (e) => e.offsetParent && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "visible"
).map((e) => e.textContent)"""
VIEWS = [("light", 1400), ("dark", 1400), ("light", 360)]


def test_axe_finds_nothing(narrow):
    """Labels, roles, names, contrast and order in every state; dark is dark, and a phone never scrolls sideways."""
    tab = narrow
    tab.evaluate((browser.folder_of("axe-core") / "axe.min.js").read_text(encoding="utf-8"))
    for scheme, width in VIEWS:
        if browser.FIREFOX and scheme == "dark":
            continue  # Playwright cannot make this Firefox dark
        tab.reset()
        tab.emulate_media(color_scheme=scheme)
        tab.set_viewport_size({"width": width, "height": 900})
        colour = tab.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, colour[4:-1].split(","))) < 128) is (scheme == "dark")
        for name, reach in STATES.items():
            reach(tab)
            found = tab.evaluate("axe.run().then(({ violations }) => violations)")
            wrong = [(rule["id"], node["html"]) for rule in found for node in rule["nodes"]]
            assert wrong == [], (name, scheme, width)
            assert (tab.overflows(), tab.evaluate(CUT)) == (False, []), name
        tab.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = false; })")
    tab.emulate_media(color_scheme=None)


def test_by_keyboard_alone(tab):
    """From the field with the data, the Tab key reaches every control, in the order of the page, and the button."""
    tab.focus("#text")
    tab.keyboard.type("a,b\n.5,1\n1,.5\n")
    tab.look()
    reached = []
    while len(reached) < 40 and "count" not in reached:
        tab.keyboard.press("Tab")
        reached.append(tab.evaluate("document.activeElement.id"))
    order = ["choose", "statistic", "column-0", "column-1", "alternative", "groups", "count"]
    assert [name for name in reached if name in [*order, "published"]] == order
    tab.keyboard.press("Enter")
    tab.until("!page.busy && !element('answer').hidden")
    assert tab.result("whole") == "1"
    assert "p = 1.00, two-sided" in tab.text("#status")
