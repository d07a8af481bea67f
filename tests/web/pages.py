"""Make the site: a folder that an owner copies to any web server, and that opens from the disk as well.

    python3 tests/web/browser.py --page DIST     makes DIST/exactperm-page.html
    .venv/bin/python tests/web/pages.py DIST     makes the site in DIST/site; needs the extra "site"

README, guide, specification, recipes, results and docstrings are pages, and so is each file of code
to which one of them links, with its lines. The page that tests in a browser, where it has been
made, and the archive of test vectors lie beside them. Search, fonts and scripts are in the folder:
nothing is loaded from elsewhere, and every link leads somewhere, or the site is not made.
"""

import importlib
import inspect
import os
import re
import shutil
import sys
import textwrap
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import exactperm  # noqa: E402
from web import browser  # noqa: E402

PAGES = (
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "exactperm/cli/guide.md"),
    *("spec/**/*.md", "benchmarks/*.md", "benchmarks/results/*.md", "vectors/*.md"),
)
SETTINGS = """
site_name: exactperm
strict: true
use_directory_urls: false
plugins: [search, offline]
theme:
  name: material
  font: false
  palette:
  - {media: "(prefers-color-scheme: light)", scheme: default, primary: white}
  - {media: "(prefers-color-scheme: dark)", scheme: slate, primary: black}
markdown_extensions:
- tables
- attr_list
- sane_lists
- pymdownx.superfences
- pymdownx.highlight: {anchor_linenums: true}
- toc:
    slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}
    permalink: true
    toc_depth: 3
validation: {nav: {omitted_files: ignore}}
nav:
- Home: README.md
- Test in your browser: exactperm-page.html
- Guide: exactperm/cli/guide.md
- Recipes: spec/guides/recipes.md
- Reference: reference/README.md
- Specification: spec/README.md
- Test vectors: vectors/README.md
- Benchmarks: benchmarks/README.md
- Contributing: CONTRIBUTING.md
- Changelog: CHANGELOG.md
- Test vectors, archive: exactperm-vectors.zip
"""
PAGE, VECTORS = "exactperm-page.html", "exactperm-vectors.zip"
SHIM = "https://unpkg.com/iframe-worker/shim"
MATH = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+)\$", re.DOTALL)
UNSOUGHT = "---\nsearch:\n  exclude: true\n---\n"
"""Start of a page that search leaves out: words are sought in texts, not in code."""
LINK = re.compile(r"\]\(([^()\s]+)\)")
LANGUAGES = {".py": "python", ".js": "javascript", ".json": "json", ".mjs": "javascript"}


def made(target, page=None):
    """Make the site in a folder that is not there yet; ``page`` is the one file that tests in a browser, or None."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    with TemporaryDirectory() as folder:
        docs = Path(folder, "docs")
        texts = {
            path.relative_to(ROOT).as_posix(): path for name in PAGES for path in ROOT.glob(name)
        }
        for name, path in texts.items():
            write(docs / name, linked(path, docs, texts))
        reference(docs / "reference")
        vectors = importlib.import_module("exactperm.testing.vectors").packed(None)
        (docs / VECTORS).write_bytes(vectors)
        settings = SETTINGS
        if page is None:
            settings = settings.replace(f"- Test in your browser: {PAGE}\n", "")
        else:
            shutil.copy(page, docs / PAGE)
        write(Path(folder, "mkdocs.yml"), settings)
        path = str(Path(folder, "mkdocs.yml"))
        build(load_config(path, site_dir=str(target), docs_dir=str(docs)))
    from_here(Path(target))
    check(Path(target))


def from_here(folder):
    """Put the script that the theme loads from elsewhere, for search from the disk, into the folder."""
    script = folder / "assets" / "iframe-worker.js"
    shutil.copy(browser.folder_of("iframe-worker") / "shim" / "index.js", script)
    for path in folder.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        here = Path(os.path.relpath(script, path.parent)).as_posix()
        if path.name != PAGE:
            path.write_text(text.replace(SHIM, here), encoding="utf-8")


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def linked(path, docs, texts):
    """Return a page whose links lead to pages; files of code that it names become pages, others are copied."""

    def led(found):
        name, _, place = found[1].partition("#")
        there = (path.parent / name).resolve()
        inside = there.is_file() and there.is_relative_to(ROOT) and name
        known = there.relative_to(ROOT).as_posix() if inside else ""
        if not inside or known in texts:
            return found[0]
        if there.suffix in (".svg", ".ipynb", ".zip"):
            (docs / known).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(there, docs / known)
            return found[0]
        language = LANGUAGES.get(there.suffix, "text")
        code = there.read_text(encoding="utf-8").rstrip()
        fence = "`" * 6
        body = f'{fence} {language} linenums="1"\n{code}\n{fence}\n'
        write(docs / f"{known}.md", f"{UNSOUGHT}# {known}\n\n{body}")
        line = place.partition("-")[0][1:]
        return f"]({name}.md{f'#__codelineno-0-{line}' if place else ''})"

    parts = re.split(
        r"(^```.*?^```$|`[^`\n]+`)", path.read_text(encoding="utf-8"), flags=re.S | re.M
    )
    return "".join(
        LINK.sub(led, MATH.sub(math, part)) if i % 2 == 0 else part for i, part in enumerate(parts)
    )


def math(found):
    """Return a formula as MathML, which browsers draw themselves."""
    from latex2mathml.converter import convert

    display, inline = found.groups()
    if display:
        return f"\n\n{convert(display, display='block')}\n\n"
    shown = convert(inline).replace("*", "&#42;").replace("_", "&#95;")
    return f"<span>{shown}</span>"  # else Markdown takes it for a block


def reference(folder):
    """Write a page for each module that has public names, and one that lists all names."""
    modules = {}
    for name in sorted(exactperm.__all__):
        value = getattr(exactperm, name)
        module = getattr(value, "__module__", None)
        if inspect.isroutine(value) or inspect.isclass(value):
            modules.setdefault(module.partition(".")[2] or "exactperm", []).append((name, value))
    lines = ["# Reference", "", "| name | what it does |", "|---|---|"]
    for module, members in sorted(modules.items()):
        told = inspect.getdoc(importlib.import_module(f"exactperm.{module}")) or ""
        parts = [f"# {module}", plain(told)]
        for name, value in members:
            shown = textwrap.fill(f"{name}{signature(value)}", 80, subsequent_indent="    ")
            parts += [f"## {name}", f"```python\n{shown}\n```"]
            parts.append(plain(inspect.getdoc(value) or ""))
            first = plain(inspect.getdoc(value) or "").partition("\n")[0].replace("|", r"\|")
            lines.append(f"| [`{name}`]({module}.md#{name.lower()}) | {first} |")
        write(folder / f"{module}.md", "\n\n".join(parts) + "\n")
    write(folder / "README.md", "\n".join(lines) + "\n")


def signature(value):
    """Return the signature of a function or a class, "" where it has none."""
    try:
        return str(inspect.signature(value)).replace("'", "")
    except ValueError:
        return ""


def plain(text):
    """Return a docstring as Markdown: examples in fences, names of other objects as code."""
    text = re.sub(r":\w+:`~?([^`]*)`", r"`\1`", text)
    text = re.sub(r"``([^`]*)``", r"`\1`", text)
    return re.sub(
        r"((?:^>>> .*\n?(?:^(?!>>>).+\n?)*)+)", r"```python\n\1\n```\n", text, flags=re.MULTILINE
    )


class Links(HTMLParser):
    """The places of one page, what it links to, and what it loads."""

    def __init__(self, text):
        super().__init__()
        self.places, self.links, self.loaded = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        about = dict(attrs)
        self.places |= {about[name] for name in ("id", "name") if about.get(name)}
        target = about.get("href") if tag in ("a", "link") else about.get("src")
        if target:
            (self.links if tag == "a" else self.loaded).append(target)


def check(folder):
    """Raise ``SystemExit`` where a link leads nowhere, or a page loads something from elsewhere."""
    pages = {
        path.resolve(): Links(path.read_text(encoding="utf-8"))
        for path in folder.rglob("*.html")
        if path.name not in (PAGE, "404.html")
    }
    wrong = []
    for path, page in pages.items():
        wrong += [f"{path}: loads {target}" for target in page.loaded if "://" in target]
        for target in page.links + page.loaded:
            name, _, place = unquote(target).partition("#")
            if "://" in name or name.startswith(("mailto:", "data:")):
                continue
            there = (path.parent / name).resolve() if name else path
            places = pages[there].places if there in pages else {place}
            if not there.exists() or (place and place not in places):
                wrong.append(f"{path.relative_to(folder.resolve())}: {target}")
    if wrong:
        sys.exit("\n".join(["links that lead nowhere:", *wrong]))


if __name__ == "__main__":
    dist = Path(sys.argv[1])
    made(dist / "site", dist / PAGE if (dist / PAGE).is_file() else None)
