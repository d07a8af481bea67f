// Run the test suite in Pyodide under node: node tests/pyodide.mjs PYODIDE WHEELS [arguments for pytest]
// PYODIDE is the folder of the npm package, WHEELS one of pure wheels of pytest, hypothesis and what they need.
// `python3 tests/hosts.py pyodide` prepares both.
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [pyodideFolder, wheels, ...pytestArguments] = process.argv.slice(2);
const project = dirname(dirname(fileURLToPath(import.meta.url)));
const { loadPyodide } = await import(pathToFileURL(join(resolve(pyodideFolder), "pyodide.mjs")).href);
const pyodide = await loadPyodide({ env: { HOME: "/home/pyodide", HYPOTHESIS_PROFILE: "ci", PYTHONDONTWRITEBYTECODE: "1" } });
try {
  for (const wheel of readdirSync(wheels)) {
    pyodide.unpackArchive(new Uint8Array(readFileSync(join(wheels, wheel))), "zip", { extractDir: "/wheels" });
  }
  pyodide.FS.mkdirTree("/project");
  pyodide.mountNodeFS("/project", project);
  pyodide.globals.set("pytest_arguments", pyodide.toPy(pytestArguments));
  process.exitCode = pyodide.runPython(`
import os, sys
os.chdir("/project")
sys.path[:0] = ["/project", "/wheels"]
import pytest
int(pytest.main(["-p", "no:cacheprovider", *pytest_arguments]))
`);
} catch (error) {
  console.error(String(error.message ?? error)); // without the source line, which has a million characters
  process.exitCode = 1;
}
