"""Archives with the same bytes everywhere, and the package found wherever it is."""

import hashlib
import zipfile
from io import BytesIO
from pathlib import Path

import exactperm
from exactperm.files import saving


def test_entries_are_stored_in_order_without_anything_of_this_machine():
    data = saving.packed({"b/c.txt": b"2" * 100, "a.txt": b"1"})
    with zipfile.ZipFile(BytesIO(data)) as packed:
        entries = packed.infolist()
        assert packed.read("b/c.txt") == b"2" * 100
    assert [entry.filename for entry in entries] == ["a.txt", "b/c.txt"]
    for entry in entries:
        assert entry.date_time == (1980, 1, 1, 0, 0, 0)
        assert entry.compress_type == zipfile.ZIP_STORED
        assert (entry.create_system, entry.external_attr) == (3, 0o644 << 16)


def test_known_bytes():
    """The archive of one file, as CPython 3.9 to 3.13 and PyPy write it."""
    digest = hashlib.sha256(saving.packed({"a.txt": b"1"})).hexdigest()
    assert digest == "1db070feb8583f2098759e7136fd3961623513414462f18e8fcac8fca8acbd43"


def test_what_is_hidden_or_compiled_is_left_out(tmp_path):
    for name in ("a.py", "a.pyc", ".b.py", "__pycache__/c.py", "d/e.json", "d/.f"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
    assert dict(saving._inside(tmp_path)) == {"a.py": b"a.py", "d/e.json": b"d/e.json"}
    files = saving.package_files()
    assert (
        files["exactperm/cli/main.py"]
        == Path(exactperm.__file__).with_name("cli").joinpath("main.py").read_bytes()
    )
    assert {"exactperm/__init__.py", "exactperm/py.typed"} <= {*files}


def test_sources_alone_are_compiled():
    assert [*saving.bytecode({"a.py": b"x = 1", "b.json": b"{}"})] == ["a.pyc"]
