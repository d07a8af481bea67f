// Python in a worker of the page: its parts are unpacked once, a question is a message, and a long one ends with the worker.
"use strict";

const python = { worker: null, waiting: [], ready: false, opened: new Map(), failed: "" };

const PARTS = ["worker", "loader", "runtime", "library", "lock", "exactperm", "wasm"];

/** Return the bytes of a part: written in this file, or in one beside it, which must have its hash. */
async function unpacked(name) {
  const block = element(`part-${name}`);
  const { file, sha256 } = block.dataset;
  const packed = file ? (await fetched(file, sha256)).body : new Blob([decoded(block.textContent)]).stream();
  const stream = packed.pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  block.textContent = "";
  return bytes;
}

function decoded(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function fetched(file, sha256) {
  const wrong = location.protocol === "file:" ? "this form of the page needs a file host; from the disk, open the page "
    + "that is one file" : `${file} cannot be read, or is not the part that this page was built with`;
  const answer = await fetch(file, { integrity: `sha256-${sha256}` }).catch(() => null);
  if (!answer || !answer.ok) throw new Error(wrong);
  return answer;
}

/** Unpack all parts once, then connect to nothing more; WebAssembly is compiled once: another worker starts sooner. */
async function unpackAll() {
  const bytes = await Promise.all(PARTS.map(unpacked));
  const policy = { httpEquiv: "Content-Security-Policy", content: "connect-src 'none'" };
  document.head.append(Object.assign(document.createElement("meta"), policy));
  const parts = Object.fromEntries(PARTS.map((name, i) => [name, bytes[i]]));
  return { ...parts, wasm: await WebAssembly.compile(parts.wasm) };
}

let partsOnce = null;

async function startWorker() {
  tellEngine("Starting Python in this page", "");
  partsOnce ||= unpackAll();
  const parts = await partsOnce;
  const address = URL.createObjectURL(new Blob([parts.worker], { type: "text/javascript" }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  Object.assign(python, { worker, ready: false, opened: new Map() });
  worker.onmessage = ({ data }) => { if (worker === python.worker) receive(data); };
  worker.onerror = (event) => { if (worker === python.worker) fail(event.message || "the worker did not start"); };
  worker.postMessage({ parts });
}

function receive(message) {
  if (message.ready) becomeReady(message);
  else if ("progress" in message) showProgress(message.progress);
  else if (message.answer) python.waiting.shift().resolve(JSON.parse(message.answer));
  else fail(message.failed);
}

/** Ask Python; the answer is that of the bridge. Files that are not the last of their name there are sent along. */
function ask(request, files = []) {
  const unseen = files.filter((file) => python.opened.get(file.name) !== file);
  for (const file of unseen) python.opened.set(file.name, file);
  return new Promise((resolve, reject) => {
    python.waiting.push({ resolve, reject });
    const text = JSON.stringify({ ...request, files: files.map(({ name }) => name) });
    python.worker.postMessage({ request: text, files: unseen.map(({ name, bytes }) => [name, bytes]) });
  });
}

/** End the worker at once, whatever it does, and start another one. */
function restartWorker(reason = "cancelled") {
  python.worker.terminate();
  python.ready = false;
  const waiting = python.waiting.splice(0);
  for (const { reject } of waiting) reject(new Error(reason));
  updateButtons();
  return startWorker().catch((error) => fail(error.message));
}

function fail(reason) {
  element("loading").hidden = true;
  python.failed = reason;
  tellEngine(`Python failed: ${reason}`, "failed");
  if (python.ready) restartWorker(`Python failed: ${reason}`);
}

function tellEngine(words, mark) {
  element("engine").textContent = words;
  element("engine-mark").className = `mark ${mark}`;
}

function becomeReady({ ready, pyodide }) {
  python.ready = true;
  element("loading").hidden = true;
  const before = python.failed ? `, again: Python failed before: ${python.failed}` : "";
  tellEngine(`Ready${before}. Nothing leaves this page.`, "ready");
  python.failed = "";
  element("versions").textContent = `exactperm ${ready.version}, ${ready.python}, Pyodide ${pyodide}`;
  if (!page.about) fillChoices(ready);
  updateButtons();
  if (page.awaited) takeExample(page.awaited);
  else look();
}
