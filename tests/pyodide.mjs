// Run a Python module of the project in Pyodide under node: node tests/pyodide.mjs PYODIDE SITE -m MODULE [arguments]
// PYODIDE is the folder of the npm package, SITE one of further Python packages, "-" for none.
// `python3 tests/hosts.py` prepares both.
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [pyodideFolder, site, , ...words] = process.argv.slice(2);
const project = dirname(dirname(fileURLToPath(import.meta.url)));
const { loadPyodide } = await import(pathToFileURL(join(resolve(pyodideFolder), "pyodide.mjs")).href);
const env = { HOME: "/home/pyodide", HYPOTHESIS_PROFILE: "ci", PYTHONDONTWRITEBYTECODE: "1" };
const pyodide = await loadPyodide({ env });
try {
  for (const [name, folder] of [["/project", project], ["/site", site]]) {
    pyodide.FS.mkdirTree(name);
    if (folder !== "-") pyodide.mountNodeFS(name, resolve(folder));
  }
  pyodide.globals.set("words", pyodide.toPy(words));
  process.exitCode = pyodide.runPython(`
import os, runpy, sys
os.chdir("/project")
sys.path[:0] = ["/project", "/site"]
sys.argv = list(words)
try:
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    status = 0
except SystemExit as end:
    status = end.code or 0
int(status)
`);
} catch (error) {
  console.error(String(error.message ?? error)); // without the source line, which has a million characters
  process.exitCode = 1;
}
