// The page: takes data and settings, asks the worker, shows its answers. All text from files is set as text, never HTML.
"use strict";

const LONGEST_TYPED = 20000; // characters; longer text freezes a text field, so it is held in memory
const MOST_BYTES = 2 ** 27;
const MOST_SECONDS_UNASKED = 10; // for a picture, and for an interval
const WITH_INTERVAL = ["difference", "mean"];
const LOOK_AFTER_MILLISECONDS = 250;
const DEFAULTS = { statistic: "difference", alternative: "two-sided", digits: "10", seconds: "60", published: "",
  stated: "", samples: "", stars: "", adjust: "holm", alpha: "0.05" }; // of all settings but those of reading, which Python names
const NOT_CHOSEN = { id: "their place in the files", groups: "none: each pair alone" };
const WITH_THE_QUESTION = ["id", "groups", "runs"]; // the other settings of reading are below
const LEAST_SYSTEMS = 3; // fewer are a pair

const element = (id) => document.getElementById(id);

// ------------------------------------------------------------------------------------------ Python in a worker

const python = { worker: null, waiting: [], ready: false, opened: new Map(), bytes: 0, failed: "" };

const PARTS = ["worker", "loader", "runtime", "library", "lock", "exactperm", "wasm"];

/** Return the bytes of a part: written in this file, or in one beside it, which must have its hash. */
async function unpacked(name) {
  const block = element(`part-${name}`);
  const { file, sha256 } = block.dataset;
  const packed = file ? (await fetched(file, sha256)).body : new Blob([decoded(block.textContent)]).stream();
  const stream = packed.pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  block.textContent = "";
  loaded(bytes.length);
  return bytes;
}

function decoded(base64) {
  const text = atob(base64.replace(/\n/g, ""));
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

// Of the time until Python answers: the parts, weighed by their bytes, then what the worker reports.
const ALL_BYTES = 2.4e7;
const UNPACKED = 0.4;
const STARTED = { runtime: 0.5, python: 0.9 };

/** Show how much of the page is there, after so many more bytes of its parts. */
function loaded(bytes) {
  python.bytes += bytes;
  showLoading(UNPACKED * Math.min(1, python.bytes / ALL_BYTES));
}

function showLoading(share) {
  element("loading").value = share;
  element("loading").hidden = share >= 1;
}

let partsOnce = null;

async function startWorker() {
  tellEngine("Starting Python in this page", "");
  partsOnce ||= unpackAll();
  const parts = await partsOnce;
  showLoading(UNPACKED);
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
  else if (message.started) showLoading(STARTED[message.started]);
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
  element("draw").hidden = true; // what was counted is gone with the worker
  const waiting = python.waiting.splice(0);
  for (const { reject } of waiting) reject(new Error(reason));
  updateButtons();
  return startWorker().catch((error) => fail(error.message));
}

function fail(reason) {
  showLoading(1);
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
  showLoading(1);
  const before = python.failed ? `, again: Python failed before: ${python.failed}` : "";
  tellEngine(`Ready${before}. Nothing leaves this page.`, "ready");
  python.failed = "";
  element("versions").textContent = `exactperm ${ready.version}, ${ready.python}, Pyodide ${pyodide}`;
  if (!page.about) fillChoices(ready);
  updateButtons();
  if (page.awaited) takeExample(page.awaited);
  else look();
}

// ------------------------------------------------------------------------------------------ state of the page

const page = {
  about: null, // what Python offers
  awaited: null, // the example to take when Python is there
  held: null, // files in memory
  typed: null, // the text of the field as a file
  data: 0, // changes of the data so far
  joined: -1, // those at which a column of ids was proposed
  edits: 0, // changes of the data or of how they are read so far
  lookedAt: 0, // those that the columns on offer are of
  looked: null, // what the data look like
  chosenFrom: "", // the columns and the lists that were on offer for the choices made
  chosenByHand: false, // whether a list of columns was changed since
  wanted: {}, // choices of a link
  systemsFrom: "", // the columns that were on offer as systems
  changes: 0, // changes of data and settings so far
  result: null,
  cure: null, // what mends the error that is shown
  picture: null,
  svg: "",
  svgName: "",
  busy: false,
};

/** Return the data as files: those that are held, or the text; none where there are none. */
function currentFiles() {
  if (page.held) return page.held.files;
  const text = element("text").value;
  if (!text.trim()) return [];
  if (!page.typed || page.typed.text !== text) {
    page.typed = { name: "pasted data", text, bytes: new TextEncoder().encode(text) };
  }
  return [page.typed];
}

/** Return the settings of reading, such as the column of the ids, and whether they name a column. */
const readingFields = () => page.about.reading;

const settingNames = () => [...Object.keys(DEFAULTS), ...readingFields().map(({ name }) => name)];

function defaults() {
  const values = readingFields().map((field) => [field.name, field.default]);
  return { ...DEFAULTS, ...Object.fromEntries(values) };
}

function settings() {
  const values = Object.fromEntries(settingNames().map((name) => [name, element(name).value]));
  return { ...values, columns: chosenColumns() };
}

const currentForm = () => page.about.statistics.find(({ name }) => name === element("statistic").value);

function updateButtons() {
  const idle = python.ready && !page.busy && currentFiles().length > 0;
  element("count").disabled = !idle;
  element("compare").disabled = !idle || chosenSystems().length < 2;
  element("cancel").hidden = !page.busy;
  element("choose-record").disabled = !python.ready || page.busy;
  for (const button of element("examples").querySelectorAll("button")) button.disabled = page.busy;
  if (!page.busy) element("progress").hidden = true;
}

// ------------------------------------------------------------------------------------------ choices

function option(value, label) {
  const made = document.createElement("option");
  made.value = value;
  made.textContent = label;
  return made;
}

function fillChoices(about) {
  page.about = about;
  element("statistic").replaceChildren(...about.statistics.map(({ name, label }) => option(name, capitalised(label))));
  for (const [id, names] of [["alternative", about.alternatives], ["adjust", about.adjustments]]) {
    element(id).replaceChildren(...names.map((name) => option(name, name)));
  }
  for (const [id, inside] of [["units", true], ["settings", false]]) {
    const fields = about.reading.filter(({ name }) => WITH_THE_QUESTION.includes(name) === inside);
    if (inside) fields.sort((a, b) => WITH_THE_QUESTION.indexOf(a.name) - WITH_THE_QUESTION.indexOf(b.name));
    element(id).replaceChildren(...fields.map(readingField));
  }
  readLink();
}

/** Return the control of one setting of reading, with its label and what it means. */
function readingField({ name, label, help, kind, choices, default: initial }) {
  const control = document.createElement(kind === "text" ? "input" : "select");
  control.id = name;
  control.autocomplete = "off";
  if (kind === "column" || (kind === "choice" && !initial)) control.append(option("", NOT_CHOSEN[name] || "none"));
  if (kind === "choice") control.append(...choices.map((value) => option(value, value || "not said")));
  control.setAttribute("aria-describedby", `${name}-hint`);
  control.addEventListener("change", () => { delete page.wanted[name]; countSystems(); readAgain(); });
  const field = fieldOf(control, label);
  field.append(Object.assign(made("span", capitalised(help)), { className: "hint", id: `${name}-hint` }));
  field.classList.toggle("wide", name === "runs");
  return field;
}

/** Say what a setting means, or its value where that has words of its own. */
function showHint({ name, help, words }) {
  element(`${name}-hint`).textContent = capitalised(words[element(name).value] || help);
}

/** Return the lists of columns that a statistic takes from one file, or from each of several; one text for runs. */
function listsOfAFile(form = currentForm()) {
  if (element("runs").value) return [{ label: "columns of runs", none: "by their names, or base*,new*", text: true }];
  const files = Math.max(1, currentFiles().length);
  const lists = form.lists[Math.min(files, form.lists.length) - 1];
  return files < 2 ? lists : lists.map(({ label, none }) => ({ label: `${label}, in every file`, none }));
}

/** Return columns beside the lists that they are for: where they are too few, none for lists that may be left alone. */
function placed(columns, lists) {
  if (columns.length >= lists.length) return columns;
  const rest = [...columns];
  return lists.map(({ none }) => (none ? "" : rest.shift() || ""));
}

function fillColumns() {
  const lists = listsOfAFile();
  const columns = (page.looked && page.looked.columns) || [];
  const kept = sameColumns(lists) && page.chosenByHand ? chosenColumns() : (page.looked && page.looked.taken) || [];
  const wanted = placed(page.wanted.columns || kept, lists);
  const fields = lists.map(({ label, none, text }, i) => {
    const select = document.createElement(text ? "input" : "select");
    select.id = `column-${i}`;
    if (text) {
      Object.assign(select, { placeholder: none, autocomplete: "off", value: wanted.join(",") });
      const field = fieldOf(select, capitalised(label));
      field.classList.add("wide");
      return field;
    }
    select.append(option("", none || "choose"), ...columnOptions(columns));
    if (page.looked && columns.length < page.looked.all) select.append(unlisted(columns.length));
    choose(select, wanted[i]);
    return fieldOf(select, capitalised(label));
  });
  element("columns").replaceChildren(...fields);
  element("columns").classList.toggle("thirds", lists.length % 3 === 0);
  const all = (page.looked && page.looked.fields) || [];
  for (const { name, kind } of readingFields()) if (kind === "column") fillFrom(name, all);
  if (page.looked && page.joined !== page.data && !element("id").value) {
    page.wanted.id = page.looked.id;
    choose(element("id"), page.looked.id);
  }
  if (page.looked) page.joined = page.data;
  for (const field of readingFields()) showHint(field);
  const joins = currentFiles().length > 1 || element("system").value || element("id").value;
  element("id").parentElement.hidden = !joins;
}

const columnOptions = (columns) => columns.map(({ value, label }) => option(value, label));

/** Choose a value, or where there is none of it the first. */
function choose(select, value) {
  select.value = value || "";
  if (select.selectedIndex < 0) select.value = "";
}

function fieldOf(select, words) {
  const field = document.createElement("p");
  field.className = "field";
  const label = made("label", words);
  label.htmlFor = select.id;
  field.append(label, select);
  return field;
}

/** Whether the columns and their lists are those that the choices were made for. */
function sameColumns(lists) {
  const names = JSON.stringify([page.looked && page.looked.columns, lists]);
  const same = names === page.chosenFrom;
  page.chosenFrom = names;
  if (!same) page.chosenByHand = false;
  return same;
}

const capitalised = (text) => text[0].toUpperCase() + text.slice(1);

function unlisted(shown) {
  const more = option("", `${(page.looked.all - shown).toLocaleString("en")} more columns: use the command line`);
  more.disabled = true;
  return more;
}

/** Offer the columns in a field that may be left alone. */
function fillFrom(id, columns) {
  const select = element(id);
  const before = page.wanted[id] === undefined ? select.value : page.wanted[id];
  select.replaceChildren(select.options[0], ...columnOptions(columns));
  choose(select, before);
}

function chosenColumns() {
  const values = [...element("columns").querySelectorAll("select, input")].map(({ value }) => value);
  return (element("runs").value ? values.join().split(",").map((word) => word.trim()) : values).filter(Boolean);
}

/** Offer the columns of numbers as systems to compare, or the files where there are several. */
function fillSystems() {
  const files = currentFiles();
  const columns = (page.looked && page.looked.systems) || [];
  const offered = files.length > 1 ? files.map(({ name }) => ({ value: name, label: name, chosen: true })) : columns;
  element("systems").hidden = offered.length < LEAST_SYSTEMS || currentForm().name !== "difference";
  const names = JSON.stringify(offered);
  if (names !== page.systemsFrom || page.wanted.systems) {
    const wanted = page.wanted.systems;
    element("systems-list").replaceChildren(...offered.map(({ value, label, chosen }, i) =>
      checkOf(`system-${i}`, value, label, wanted ? wanted.includes(value) : chosen)));
  }
  for (const box of element("systems-list").querySelectorAll("input")) box.disabled = Boolean(element("runs").value);
  page.systemsFrom = names;
  countSystems();
}

function checkOf(id, value, words, checked) {
  const label = document.createElement("label");
  const box = Object.assign(document.createElement("input"), { type: "checkbox", id, value, checked });
  label.append(box, document.createTextNode(words));
  return label;
}

/** Return the values of the systems that are compared: those checked that hold neither ids nor groups. */
function chosenSystems() {
  if (element("systems").hidden) return [];
  const others = readingFields().filter(({ kind }) => kind === "column").map(({ name }) => element(name).value);
  return [...element("systems-list").querySelectorAll("input")]
    .filter(({ checked, value }) => checked && !others.includes(value)).map(({ value }) => value);
}

function countSystems() {
  const number = chosenSystems().length;
  element("compare").textContent = `Compare ${number === 2 ? "both" : `all ${number}`}`;
  updateButtons();
}

// ------------------------------------------------------------------------------------------ data

let lookTimer = 0;

function dataChanged() {
  page.data++;
  readAgain();
}

/** Look at the data again, which are others or are read otherwise. */
function readAgain() {
  changed();
  clearTimeout(lookTimer);
  page.edits++;
  updateButtons();
  lookTimer = setTimeout(look, LOOK_AFTER_MILLISECONDS);
}

/** Show the columns and the first rows of the data; a file that cannot be read is reported when it is counted. */
async function look() {
  const files = currentFiles();
  if (!python.ready || page.busy) return;
  const edits = page.edits;
  let found = null;
  try {
    if (files.length) found = await ask({ do: "look", ...settings() }, files);
  } catch {
    return; // the worker was ended meanwhile
  }
  if (edits !== page.edits) return;
  page.lookedAt = edits;
  page.looked = found && !found.error ? found : null;
  fillColumns();
  fillSystems();
  showPreview();
}

function showPreview() {
  const looked = page.looked;
  element("preview").hidden = !looked;
  if (!looked) return;
  const number = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
  element("preview-words").textContent = looked.rows
    ? `${number(looked.lines, "row")}, ${number(looked.all, "column")}${looked.header ? ", below a header" : ""}`
    : `JSON records with ${number(looked.all, "key")}: ${looked.columns.map(({ label }) => label).join(", ")}`;
  const rows = (page.held && looked.rows || []).map((cells, i) => tableRow(cells, looked.header && i === 0));
  element("rows").replaceChildren(...rows);
}

function tableRow(cells, header) {
  const row = document.createElement("tr");
  for (const cell of cells) {
    const made = document.createElement(header ? "th" : "td");
    if (header) made.scope = "col";
    made.textContent = cell;
    row.append(made);
  }
  return row;
}

/** Keep files in memory in place of the text field; null brings the field back. */
function hold(files, label) {
  page.held = files && { files };
  element("paste").hidden = Boolean(files);
  element("held").hidden = !files;
  if (files) {
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    element("held-name").textContent = label || files.map(({ name }) => name).join(" and ");
    element("held-size").textContent = `${bytes.toLocaleString("en")} bytes, held in memory`;
  }
  dataChanged();
}

async function takeFiles(files) {
  if (!files.length) return;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > MOST_BYTES) {
    showFailure({ error: `${files[0].name} has ${size.toLocaleString("en")} bytes: the page takes at most ` +
      `${MOST_BYTES.toLocaleString("en")}; the command line takes more` });
    return;
  }
  const contents = await Promise.all(files.map(async (file) => new Uint8Array(await file.arrayBuffer())));
  hold(contents.map((bytes, i) => ({ name: ownName(files, i), bytes })));
}

/** Return the name of a file, with a number where one before it has the same. */
function ownName(files, i) {
  const same = files.slice(0, i).filter(({ name }) => name === files[i].name).length;
  return same ? `${files[i].name} (${same + 1})` : files[i].name;
}

function takeText(text, where) {
  if (text.length > LONGEST_TYPED) {
    hold([{ name: "pasted data", bytes: new TextEncoder().encode(text) }], where);
  } else {
    element("text").value = text;
    hold(null);
  }
}

function pasted(event) {
  const text = event.clipboardData.getData("text/plain");
  const field = element("text");
  if (text.length + field.value.length <= LONGEST_TYPED) return;
  event.preventDefault();
  const { selectionStart: start, selectionEnd: end, value } = field;
  takeText(value.slice(0, start) + text + value.slice(end), "Pasted data");
}

/** Take files that are dropped anywhere: a browser would leave the page and open them. */
async function dropped(event) {
  element("drop").classList.remove("over");
  const files = [...event.dataTransfer.files];
  const text = event.dataTransfer.getData("text/plain");
  if (!files.length && (event.target !== element("text") || text.length <= LONGEST_TYPED)) return;
  event.preventDefault();
  if (files.length) await takeFiles(files);
  else takeText(text, "Dropped text");
}

function draggedOver(event) {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  element("drop").classList.add("over");
}

function fillExamples() {
  const examples = JSON.parse(element("examples-data").textContent);
  element("examples").replaceChildren(...examples.map((example) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain";
    button.textContent = example.name;
    button.addEventListener("click", () => takeExample(example));
    item.append(button);
    return item;
  }));
}

async function takeExample(example) {
  page.awaited = python.ready ? null : example;
  if (page.busy || page.awaited) return; // an example chosen before Python is there is taken then
  apply({ ...defaults(), ...example.settings });
  takeText(example.text, example.name);
  clearTimeout(lookTimer);
  await look();
  if (python.ready) count(example.all ? compareAll : countAll);
}

// ------------------------------------------------------------------------------------------ counting

async function count(work) {
  const files = currentFiles();
  if (!python.ready || page.busy || !files.length) return;
  clearTimeout(lookTimer);
  const { edits } = page;
  if (page.lookedAt !== edits) await look(); // else the columns chosen would be those of other data
  if (!python.ready || page.busy || page.edits !== edits) return; // other data have come meanwhile
  page.busy = true;
  showProgress(null);
  tell("Counting");
  const chosen = settings();
  updateButtons();
  try {
    await work(files, chosen);
  } catch (error) {
    if (error.message === "cancelled") tell("Cancelled.");
    else showFailure({ error: error.message });
  }
  page.busy = false;
  updateButtons();
}

/** Count, then judge the published p-value, then draw: each part is shown as soon as it is there. */
async function countAll(files, chosen) {
  const { changes } = page;
  const result = await ask({ do: "test", ...chosen }, files);
  if (result.error) {
    showFailure(result);
    return;
  }
  showResult(result);
  element("stale").hidden = changes === page.changes;
  tell(`${result.kind}: ${result.p.join(" to ")}, in ${result.time}.`);
  if (chosen.published.trim()) showVerdict(await ask({ do: "audit", ...chosen }, files));
  const seconds = String(Math.min(MOST_SECONDS_UNASKED, Number(chosen.seconds)));
  if (result.fraction) await draw(seconds);
  const plain = !["weights", "tasks", "runs", "decimals"].some((name) => chosen[name]);
  if (plain && WITH_INTERVAL.includes(chosen.statistic)) showInterval(await ask({ do: "interval", ...chosen, seconds }, files));
}

function showInterval({ interval, error }) {
  element("facts").append(made("dt", "95% interval"), made("dd", interval || `Not computed: ${error}`));
}

/** Test all pairs of systems; two alone are one test, as of their columns. */
async function compareAll(files, chosen) {
  const systems = chosenSystems();
  const some = files.length > 1 ? files.filter(({ name }) => systems.includes(name)) : files;
  const columns = files.length > 1 || chosen.runs ? chosen.columns : systems;
  if (systems.length < LEAST_SYSTEMS) {
    await countAll(some, { ...chosen, statistic: "difference", columns });
    return;
  }
  const { changes } = page;
  const result = await ask({ do: "compare", ...chosen, statistic: "difference", columns }, some);
  if (result.error) {
    showFailure(result);
    return;
  }
  showResult(result);
  showBoard(result);
  showPicture(result.svg, "leaderboard.svg", `Decisions between all pairs of systems. ${result.words}`);
  element("stale").hidden = changes === page.changes;
  tell(`${result.words} In ${result.time}.`);
}

async function draw(seconds) {
  element("picture-words").textContent = "Drawing the null distribution";
  const drawn = await ask({ do: "draw", seconds });
  element("picture-words").textContent = drawn.error ? `Not drawn: ${drawn.error}` : "";
  element("draw").hidden = !drawn.refused;
  const words = `Null distribution; the tail behind the p-value is marked. ${page.result.words}`;
  if (drawn.svg) showPicture(drawn.svg, "null-distribution.svg", words);
}

async function drawAnyway() {
  page.busy = true;
  element("draw").hidden = true;
  showProgress(null);
  updateButtons();
  try {
    await draw("3600");
  } catch (error) {
    element("picture-words").textContent = `Not drawn: ${error.message}`;
  }
  page.busy = false;
  updateButtons();
}

function showProgress(share) {
  const bar = element("progress");
  bar.hidden = !page.busy;
  if (share === null) bar.removeAttribute("value");
  else bar.value = share;
}

const tell = (words) => { element("status").textContent = words; };

// ------------------------------------------------------------------------------------------ results

function showOnly(id) {
  for (const one of ["intro", "failure", "answer"]) element(one).hidden = one !== id;
}

function showFailure({ error, refused, cure }) {
  showOnly("failure");
  const title = refused ? "Refused before it started" : "Not computed";
  tell(`${title}: see the result.`);
  element("failure-title").textContent = title;
  element("failure-text").textContent = error;
  const words = cure ? [...choicesOf(cure), cure.words].filter(Boolean) : [];
  const asked = Boolean(cure && cure.choose); // a person says what may be exchanged
  const designs = asked ? readingFields().find(({ name }) => name === cure.choose).words : {};
  element("cure").textContent = asked ? "Choose what may be exchanged" : words.join("; ");
  element("cure").hidden = !words.length;
  page.cure = cure && mends(cure) ? cure : null;
  element("apply-cure").hidden = !page.cure || asked;
  element("designs").replaceChildren(...Object.entries(designs).map(([runs, lines]) => {
    const item = made("li", ` ${lines}`);
    const button = Object.assign(made("button", capitalised(runs)), { type: "button" });
    button.addEventListener("click", () => {
      page.cure = { ...cure, settings: { ...cure.settings, [cure.choose]: runs } };
      applyCure();
    });
    item.prepend(button);
    return item;
  }));
  const line = page.held ? null : /line (\d+)/.exec(error);
  element("show-line").hidden = !line;
  if (line) {
    element("show-line").textContent = `Show line ${line[1]}`;
    element("show-line").dataset.line = line[1];
  }
  reveal();
}

/** Return the choices of a cure in the words of the page: labels of its fields, and what they offer. */
function choicesOf({ settings: cured, command }) {
  const { columns, ...others } = cured;
  const form = page.about.statistics.find(({ name }) => name === cured.statistic) || currentForm();
  const named = Object.entries(others).map(([name, value]) => {
    const label = document.querySelector(`label[for="${name}"]`);
    const chosen = name === "statistic" ? capitalised(form.label) : value;
    return `${label ? label.textContent : capitalised(name)}: ${chosen || "none"}`;
  });
  if (command === "compare") return [...named, columns ? `compare ${columns.join(", ")}` : "compare all"];
  const lists = listsOfAFile(form);
  const places = columns ? placed(columns, lists) : [];
  const labels = places.map((_column, i) => (lists[i] ? capitalised(lists[i].label) : "then"));
  return [...named, ...places.map((column, i) => `${labels[i]}: ${column || lists[i].none}`)];
}

/** Whether the page has a control for every setting of a cure. */
function mends({ settings: cured, command }) {
  const known = ["columns", ...settingNames()];
  const names = Object.keys(cured);
  return ["", "test", "compare"].includes(command) && names.length + command.length > 0
    && names.every((name) => known.includes(name));
}

/** Choose what a cure says, and count. */
async function applyCure() {
  const { settings: cured, command } = page.cure;
  const { columns } = cured;
  const valueOf = (word) => {
    const found = (page.looked && page.looked.columns || []).find((column) => Object.values(column).includes(word));
    return found ? found.value : word;
  };
  const lists = columns ? { [command === "compare" ? "systems" : "columns"]: columns.map(valueOf).join("\u001f") } : {};
  apply({ ...cured, columns: "", ...lists });
  page.edits++; // other settings may offer other columns
  changed();
  await count(command === "compare" ? compareAll : countAll);
}

/** Select a line of the text, and bring it into view. */
function showLine() {
  const field = element("text");
  const number = Number(element("show-line").dataset.line);
  const lines = field.value.split("\n");
  const start = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[number - 1] || "").length);
  field.scrollTop = (field.scrollHeight / lines.length) * Math.max(0, number - 4);
}

/** Say that the result shown is not that of the present data and settings. */
function changed() {
  page.changes++;
  element("stale").hidden = false;
  if (!element("failure").hidden) showOnly(page.result ? "answer" : "intro");
}

function showResult(result) {
  page.result = result;
  showOnly("answer");
  element("kind").textContent = result.kind;
  showNumber(result.p);
  element("words").textContent = result.words;
  element("exactly").hidden = !result.fraction;
  element("fraction").textContent = result.fraction || "";
  element("refused").hidden = !result.refused;
  element("refused").textContent = result.refused
    ? `The exact count was refused: ${result.refused}. ${result.tests
      ? "The decisions are certain all the same: they are made by bounds of the exact p-values."
      : "The exact p-value is in this bracket, by a theorem."}` : "";
  element("facts").replaceChildren(...result.facts.flatMap(factOf));
  element("report").textContent = result.text;
  element("verdict").hidden = true;
  forgetPicture();
  element("board").hidden = true;
  element("picture-words").textContent = result.fraction || result.tests
    ? "" : "No picture: the sums are too many to be counted.";
  reveal();
}

/** Return one row of a result; what reads the data otherwise is a button. */
function factOf([title, words, cure]) {
  const value = made("dd", words);
  if (cure && mends(cure)) {
    const button = Object.assign(made("button", choicesOf(cure).join("; ")), { type: "button", className: "small" });
    button.addEventListener("click", () => { page.cure = cure; applyCure(); });
    value.append(" ", button, ` ${cure.words}`);
  } else if (cure && cure.words) value.append(`; ${cure.words}`);
  return [made("dt", title), value];
}

function made(tag, text) {
  const found = document.createElement(tag);
  found.textContent = text;
  return found;
}

/** Show one number, or two with a word between them. */
function showNumber([low, high]) {
  const parts = [document.createTextNode(low)];
  if (high) {
    const word = made("span", "to");
    word.className = "and";
    parts.push(word, document.createTextNode(high));
  }
  element("p").replaceChildren(...parts);
}

/** Show a leaderboard: the means of the systems, and a table of the tests that its headers sort. */
function showBoard({ means, tests, order }) {
  element("board").hidden = false;
  fillTable(element("means"), ["system", "mean", "minus the best"], means, 1);
  const names = ["first", "second", "difference", "p", "adjusted p", "better"];
  fillTable(element("tests"), names, tests, 2);
  const rows = [...element("tests").tBodies[0].rows];
  const heads = [...element("tests").tHead.rows[0].cells];
  heads.forEach((head, i) => {
    const button = made("button", names[i]);
    button.type = "button";
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      const places = rows.map((row, j) => [sign * order[j][i], row]).sort(([a], [b]) => a - b);
      element("tests").tBodies[0].append(...places.map(([, row]) => row));
    });
  });
}

/** Fill a table of texts: a header of names, and rows whose cells from the place ``left`` on are numbers. */
function fillTable(table, names, rows, left) {
  const head = document.createElement("thead");
  head.append(tableRow(names, true));
  const body = document.createElement("tbody");
  body.append(...rows.map((cells) => tableRow(cells, false)));
  table.replaceChildren(head, body);
  const numbers = Math.min(left + 3, names.length);
  for (const row of table.rows) for (let i = left; i < numbers; i++) row.cells[i].className = "number";
}

const VERDICTS = {
  consistent: ["good", "Consistent"],
  undecided: ["open", "Undecided"],
  unreadable: ["open", "Cannot be judged"],
  inconsistent: ["bad", "Inconsistent"],
  "decision-inconsistent": ["bad", "Inconsistent, and it decides otherwise"],
};

function showVerdict(verdict) {
  const [style, title] = VERDICTS[verdict.error ? "unreadable" : verdict.level];
  element("verdict").className = `card ${style}`;
  element("verdict-title").textContent = `Published p-value: ${title.toLowerCase()}`;
  const exact = verdict.exact ? `, and the exact p-value is ${verdict.exact}` : "";
  element("verdict-reason").textContent = verdict.error
    || `Printed is \u201c${verdict.printed}\u201d${exact}: ${verdict.reason}.`;
  element("verdict-details").replaceChildren(...(verdict.details || []).map((words) => made("li", words)));
  element("verdict").hidden = false;
}

function forgetPicture() {
  if (page.picture) URL.revokeObjectURL(page.picture);
  page.picture = null;
  element("drawing").hidden = true;
  element("draw").hidden = true;
  element("save-picture").hidden = true;
}

/** Show a picture as an image: it has a document of its own, so nothing in it can run or restyle the page. */
function showPicture(svg, name, words) {
  forgetPicture();
  Object.assign(page, { svg, svgName: name });
  page.picture = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const image = element("drawing");
  image.src = page.picture;
  const least = name === "leaderboard.svg" ? 0.6 * /viewBox="0 \S+ (\d+)/.exec(svg)[1] : 0; // smaller is not readable
  image.style.minWidth = `${Math.round(least)}px`;
  image.parentElement.tabIndex = least ? 0 : -1;
  image.alt = words;
  image.hidden = false;
  element("save-picture").hidden = false;
}

/** Scroll to the result where its start is not in view: below the form on a phone, above the button beside a long one. */
function reveal() {
  const result = element("result");
  const { top } = result.getBoundingClientRect();
  if (top < 0 || top > window.innerHeight / 2) result.scrollIntoView({ block: "start" });
}

// ------------------------------------------------------------------------------------------ out of the page

function save(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}


/** Copy text, also where a browser has no clipboard for files. */
async function copy(text, button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = label; }, 1500);
}

function copyBySelection(text) {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

/** Return the address of this page with the settings, without the data. */
function settingsLink() {
  const given = { ...settings(), columns: chosenColumns().join("\u001f") };
  const systems = chosenSystems();
  const all = element("systems-list").querySelectorAll("input").length;
  if (currentFiles().length < 2 && !given.runs && systems.length < all) given.systems = systems.join("\u001f");
  const kept = Object.entries(given).filter(([name, value]) => value && value !== defaults()[name]);
  return `${location.href.split("#")[0]}#${new URLSearchParams(kept)}`;
}

function readLink() {
  apply({ ...defaults(), ...Object.fromEntries(new URLSearchParams(location.hash.slice(1))) });
}

/** Set the fields; what a field does not know is left as it is. Columns are chosen when they are on offer. */
function apply(values) {
  const listed = (name) => (values[name] ? values[name].split("\u001f") : null);
  page.wanted = { columns: listed("columns"), systems: listed("systems") };
  page.chosenByHand = false;
  for (const name of settingNames()) {
    if (!(name in values)) continue;
    const field = element(name);
    const before = field.value;
    field.value = values[name];
    if (isColumn(name)) page.wanted[name] = values[name];
    else if (field.tagName === "SELECT" && field.selectedIndex < 0) field.value = before;
  }
  fillColumns();
  fillSystems();
}

const isColumn = (name) => readingFields().some((field) => field.name === name && field.kind === "column");

async function recount([file]) {
  if (!file || !python.ready || page.busy) return;
  const told = element("recounted");
  Object.assign(page, { busy: true });
  showProgress(null);
  updateButtons();
  told.className = "";
  told.textContent = "Counting again";
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const found = await ask({ do: "recount", seconds: element("seconds").value }, [{ name: file.name, bytes }]);
    const words = found.error || found.differs;
    told.className = words ? "bad" : "good";
    told.textContent = words ? `Not confirmed: ${words}` : `Confirmed: ${file.name}, counted again, every field agrees.`;
  } catch (error) {
    told.textContent = `Not counted again: ${error.message}`;
  }
  page.busy = false;
  updateButtons();
}

// ------------------------------------------------------------------------------------------ events

function pickFile(id, take) {
  element(id).addEventListener("change", async (event) => {
    await take([...event.target.files]);
    event.target.value = "";
  });
}

function listen() {
  const clicks = {
    cancel: () => restartWorker(),
    choose: () => element("file").click(),
    remove: () => hold(null),
    "show-line": showLine,
    "apply-cure": applyCure,
    draw: drawAnyway,
    "copy-fraction": (event) => copy(page.result.whole, event.target),
    "copy-link": (event) => copy(settingsLink(), event.target),
    "save-record": () => save("exactperm-record.json", page.result.record, "application/json"),
    "save-picture": () => save(page.svgName, page.svg, "image/svg+xml"),
    compare: () => count(compareAll),
    "choose-record": () => element("record-file").click(),
  };
  for (const [id, act] of Object.entries(clicks)) element(id).addEventListener("click", act);
  element("form").addEventListener("submit", (event) => { event.preventDefault(); count(countAll); });
  element("text").addEventListener("input", dataChanged);
  element("form").addEventListener("input", changed);
  element("systems-list").addEventListener("change", () => { page.wanted.systems = null; countSystems(); });
  element("text").addEventListener("paste", pasted);
  element("statistic").addEventListener("change", () => {
    page.wanted = {};
    fillColumns();
    fillSystems();
    readAgain();
  });
  element("columns").addEventListener("input", () => { page.chosenByHand = true; page.wanted.columns = null; });
  window.addEventListener("dragover", draggedOver);
  window.addEventListener("dragleave", () => element("drop").classList.remove("over"));
  window.addEventListener("drop", dropped);
  pickFile("file", takeFiles);
  pickFile("record-file", recount);
  window.addEventListener("hashchange", () => { if (page.about) readLink(); });
}

fillExamples();
listen();
startWorker().catch((error) => fail(error.message));
