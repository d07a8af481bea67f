// Compile the modules of the page: node compile.mjs PYODIDE FOLDER, where FOLDER holds the archives; see build.py.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, folder] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")).href);
const python = await loadPyodide({ env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" } });
python.FS.mkdirTree("/parts");
python.mountNodeFS("/parts", folder);
python.runPython(`
import sys
library = next(path for path in sys.path if path.endswith(".zip"))
sys.path.insert(0, "/parts/exactperm")
from exactperm.web.build import compile_parts
compile_parts("/parts", library)
`);
