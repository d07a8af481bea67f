// Run Python: load Pyodide from the bytes that the page sends, then answer its requests, one at a time.
//
// Messages of the page:    {parts}, once; then {request, files} with the request as JSON.
// Messages of this worker: {ready}, {progress: [done, total]}, {answer} as JSON, {failed}.
"use strict";

const NOWHERE = "https://pyodide.invalid/"; // a base for addresses; nothing is ever requested from it
const MILLISECONDS_BETWEEN_REPORTS = 80;

// Pyodide refuses classic workers and knows them by this function; a page from file:// can start no other worker.
self.importScripts = () => {
  throw new Error("this worker loads no scripts");
};

const moduleAddress = (source) => URL.createObjectURL(new Blob([source], { type: "text/javascript" }));

/** Serve the two files that Pyodide fetches from memory; refuse every other address. */
function serveFromMemory(wasm, library) {
  self.fetch = async (target) => {
    const address = String(target.url || target);
    if (address === `${NOWHERE}python_stdlib.zip`) return new Response(library);
    if (address === `${NOWHERE}pyodide.asm.wasm`) return new Response();
    throw new Error(`the page has no network: ${address}`);
  };
  WebAssembly.instantiateStreaming = async (_response, imports) => ({
    module: wasm,
    instance: await WebAssembly.instantiate(wasm, imports),
  });
}

async function startPython(parts) {
  serveFromMemory(parts.wasm, parts.library);
  const { loadPyodide } = await import(moduleAddress(parts.loader));
  const { default: createPyodideModule } = await import(moduleAddress(parts.runtime));
  const python = await loadPyodide({
    indexURL: NOWHERE,
    packageBaseUrl: NOWHERE,
    lockFileContents: JSON.parse(new TextDecoder().decode(parts.lock)),
    createPyodideModule,
  });
  python.FS.writeFile("/exactperm.zip", parts.exactperm);
  python.runPython("import sys; sys.path.insert(0, '/exactperm.zip')");
  return python;
}

/** Return a function of (done, total) that reports some times per second. */
function reporter() {
  let next = 0;
  return (done, total) => {
    const now = performance.now();
    if (now < next) return;
    next = now + MILLISECONDS_BETWEEN_REPORTS;
    self.postMessage({ progress: Number(done) / Number(total || 1) });
  };
}

let session = null;
let progress = null;

async function start(parts) {
  const python = await startPython(parts);
  const { Session } = python.pyimport("exactperm.web.bridge");
  session = Session();
  progress = python.toPy(reporter());
  self.postMessage({ ready: JSON.parse(session.about()), pyodide: python.version });
}

function answer({ request, files }) {
  for (const [name, bytes] of files || []) session.open(name, bytes);
  self.postMessage({ answer: session.handle(request, progress) });
}

self.onmessage = async ({ data }) => {
  try {
    await (data.parts ? start(data.parts) : answer(data));
  } catch (error) {
    self.postMessage({ failed: String(error).slice(-800) });
  }
};
