// The page: takes data and settings, asks the worker, shows its answers. All text from files is set as text, never HTML.
// Settings belong to their data: new data put all of them back, and the lists show what is counted.
const LONGEST_TYPED = 20000; // characters; longer text freezes a text field, so it is held in memory
const MOST_BYTES = 2 ** 27;
const MOST_SECONDS_UNASKED = 10; // for a picture
const LOOK_AFTER_MILLISECONDS = 250;
const OF_THE_DATA = { statistic: "difference", alternative: "two-sided", published: "", stated: "", samples: "", stars: "",
  adjust: "holm", alpha: "0.05" }; // put back by new data, with all settings of reading, which Python names
const OF_THE_PAGE = { digits: "10", seconds: "60" };
const NOT_CHOSEN = { id: "none", groups: "none: each pair alone" };
const PLACES = [["units", ["unpaired", "strata", "differences", "id", "by", "groups", "runs"]],
  ["of-long", ["system", "score", "run"]]]; // the other settings of reading are below
const LEAST_SYSTEMS = 3; // fewer are a pair

const element = (id) => document.getElementById(id);

// ------------------------------------------------------------------------------------------ state of the page

const page = {
  about: null, // what Python offers
  awaited: null, // the example to take when Python is there
  linked: null, // settings of a link, for the first data
  held: null, // files in memory
  typed: null, // the text of the field as a file
  firstLine: "", // of the text when it was last looked at by typing
  pasted: false, // whether lines are being pasted
  data: 0, // how many data there were so far
  edits: 0, // changes of the data or of how they are read so far
  lookedAt: 0, // those that the columns on offer are of
  looked: null, // what the data look like
  listsOf: "", // the data, lists and columns that the choices were made for
  chosenByHand: false, // whether a list of columns was changed since
  wanted: {}, // choices that wait for their columns
  systemsOf: "", // the data and the systems on offer
  changes: 0, // changes of data and settings so far
  result: null,
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

const readingFields = () => page.about.reading;

function settings() {
  const names = [...Object.keys({ ...OF_THE_DATA, ...OF_THE_PAGE }), ...readingFields().map(({ name }) => name)];
  return { ...Object.fromEntries(names.map((name) => [name, element(name).value])), columns: chosenColumns() };
}

/** Return the settings of data of which nothing is said. */
const putBack = () => ({ ...OF_THE_DATA, ...Object.fromEntries(readingFields().map(({ name }) => [name, ""])) });

const currentForm = () => page.about.statistics.find(({ name }) => name === element("statistic").value);

function updateButtons() {
  const idle = python.ready && !page.busy && currentFiles().length > 0;
  for (const id of ["count", "judge"]) element(id).disabled = !idle;
  element("compare").disabled = !idle || (!element("runs").value && chosenSystems().length < 2);
  element("cancel").hidden = !page.busy;
  for (const id of ["choose-record", "plan"]) element(id).disabled = !python.ready || page.busy;
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
  const placed = PLACES.flatMap(([, names]) => names);
  const rest = about.reading.map(({ name }) => name).filter((name) => !placed.includes(name));
  for (const [id, names] of [...PLACES, ["settings", rest]]) {
    element(id).replaceChildren(...names.map((name) => readingField(about.reading.find((field) => field.name === name))));
  }
  page.linked = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  apply({ ...putBack(), ...page.linked });
}

/** Return the control of one setting of reading, with its label and what it means. */
function readingField({ name, label, help, kind, choices }) {
  const isColumn = kind === "column";
  const control = document.createElement(isColumn || choices.length > 1 ? "select" : "input");
  Object.assign(control, { id: name, autocomplete: "off" });
  if (isColumn) control.append(option("", NOT_CHOSEN[name] || "none"));
  const none = kind === "flag" ? "no" : "not said";
  if (choices.length > 1) control.append(...choices.map((value) => option(value, value || none)));
  control.setAttribute("aria-describedby", `${name}-hint`);
  control.addEventListener("change", () => { delete page.wanted[name]; countSystems(); readAgain(); });
  const field = fieldOf(control, label);
  field.append(Object.assign(made("span", capitalised(help)), { className: "hint", id: `${name}-hint` }));
  field.classList.toggle("wide", name === "runs");
  return field;
}

/** Show the settings that the question has; one that is not shown is not said. */
function showFields() {
  const several = currentFiles().length > 1;
  const { apart } = currentForm();
  const unpaired = !apart.includes("unpaired") && element("unpaired").value;
  const hidden = [...apart, ...(unpaired ? page.about.apart : ["strata"])];
  const value = (name) => (hidden.includes(name) ? "" : element(name).value);
  if (!several) hidden.push("by");
  if (several || value("runs") || value("system")) hidden.push("differences");
  else hidden.push("id");
  for (const { name, help, words } of readingFields()) {
    element(name).parentElement.hidden = hidden.includes(name);
    if (hidden.includes(name)) element(name).value = "";
    element(`${name}-hint`).textContent = capitalised(words[value(name)] || help);
  }
  element("published-part").hidden = Boolean(unpaired);
  if (unpaired) element("published").value = "";
  if (value("system")) element("long").open = true;
}

/** Return the lists of columns that a statistic takes from one file, or from each of several; one text for runs. */
function listsOfAFile() {
  const { lists } = currentForm();
  if (element("runs").value) return ["columns of runs"];
  if (element("differences").value) return ["differences of two systems"];
  const files = Math.max(1, currentFiles().length);
  const labels = lists[Math.min(files, lists.length) - 1];
  return files < 2 ? labels : labels.map((label) => `${label}, in every file`);
}

/** Offer the columns: those chosen by hand stay as long as data, lists and columns do, else the test's own are shown. */
function fillColumns() {
  showFields();
  const lists = listsOfAFile();
  const columns = (page.looked && page.looked.columns) || [];
  const listsOf = JSON.stringify([page.data, lists, columns.map(({ value }) => value)]);
  if (listsOf !== page.listsOf) page.chosenByHand = false;
  page.listsOf = listsOf;
  const taken = (page.looked && page.looked.taken) || [];
  const chosen = (page.looked && page.wanted.columns) || (page.chosenByHand ? listValues() : taken);
  element("columns").replaceChildren(...lists.map((label, i) => columnField(label, i, columns, chosen)));
  element("columns").classList.toggle("thirds", lists.length % 3 === 0);
  const fields = (page.looked && page.looked.fields) || [];
  for (const { name, kind } of readingFields()) if (kind === "column") fillFrom(name, fields);
}

function columnField(label, i, columns, chosen) {
  const isText = Boolean(element("runs").value);
  const control = Object.assign(document.createElement(isText ? "input" : "select"), { id: `column-${i}`, autocomplete: "off" });
  if (isText) Object.assign(control, { placeholder: "base1+base2,new1+new2", value: chosen.join(",") });
  else {
    control.append(option("", "choose"), ...columnOptions(columns));
    choose(control, chosen[i]);
  }
  const field = fieldOf(control, capitalised(label));
  field.classList.toggle("wide", isText);
  return field;
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

const capitalised = (text) => text[0].toUpperCase() + text.slice(1);

/** Offer the columns in a field that may be left alone. */
function fillFrom(id, columns) {
  const select = element(id);
  const before = page.wanted[id] === undefined ? select.value : page.wanted[id];
  select.replaceChildren(select.options[0], ...columnOptions(columns));
  choose(select, before);
}

const listValues = () => [...element("columns").querySelectorAll("select, input")].map(({ value }) => value);

function chosenColumns() {
  const values = listValues();
  return (element("runs").value ? values.join().split(",").map((word) => word.trim()) : values).filter(Boolean);
}

/** Offer the columns of numbers as systems to compare, or the files where there are several; those of runs are typed. */
function fillSystems() {
  const files = currentFiles();
  const runs = Boolean(element("runs").value);
  const columns = ((page.looked && page.looked.columns) || []).filter(({ system }) => system);
  const offered = files.length > 1 ? files.map(({ name }) => ({ value: name, label: name })) : columns;
  element("systems").hidden = currentForm().name !== "difference" || Boolean(element("differences").value || element("unpaired").value)
    || (!runs && offered.length < LEAST_SYSTEMS);
  element("systems-choice").hidden = runs;
  element("all-systems").hidden = runs;
  const systemsOf = JSON.stringify([page.data, offered.map(({ value }) => value)]);
  if (systemsOf !== page.systemsOf || page.wanted.systems) {
    const wanted = page.wanted.systems;
    element("systems-list").replaceChildren(...offered.map(({ value, label }, i) =>
      checkOf(`system-${i}`, value, label, wanted ? wanted.includes(value) : files.length > 1)));
  }
  page.systemsOf = systemsOf;
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
  element("compare").textContent = element("runs").value ? "Compare all" : `Compare ${number === 2 ? "both" : number || "them"}`;
  updateButtons();
}

// ------------------------------------------------------------------------------------------ data

let lookTimer = 0;

/** Put all settings back, which belonged to other data; those of a link wait for the first. */
function newData() {
  page.data++;
  page.result = null;
  element("long").open = false;
  showOnly("intro");
  if (page.about) apply({ ...putBack(), ...page.linked });
  if (currentFiles().length) page.linked = null;
  readAgain();
}

/** Look at the data again, which are read otherwise. */
function readAgain() {
  changed();
  clearTimeout(lookTimer);
  page.edits++;
  updateButtons();
  lookTimer = setTimeout(look, LOOK_AFTER_MILLISECONDS);
}

/** Take the text as it is typed: with another first line, or lines pasted into it, it is other data. */
function textChanged() {
  const [firstLine] = element("text").value.split("\n", 1);
  const other = firstLine !== page.firstLine || page.pasted;
  Object.assign(page, { firstLine, pasted: false });
  if (other) newData();
  else readAgain();
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

/** Show what every column holds, with its first and last cell. */
function showPreview() {
  const { looked } = page;
  element("preview").hidden = !looked;
  if (!looked) return;
  const number = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
  const part = looked.described < looked.rows ? `; described by the first ${looked.described.toLocaleString("en")}` : "";
  const cut = looked.fields.length < looked.all ? `, the first ${looked.fields.length} on offer` : "";
  element("preview-words").textContent = `${number(looked.rows, "row")}${part}, ${number(looked.all, "column")}${cut}`;
  const rows = looked.fields.map(({ name, holds, first, last }) => [name, holds, first, last]);
  fillTable(element("listing"), ["column", "holds", "first", "last"], rows);
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
  [page.firstLine] = element("text").value.split("\n", 1);
  newData();
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
  page.pasted = text.includes("\n");
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
  takeText(example.text, example.name);
  apply(example.settings);
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
  const chosen = settings();
  tell("Counting");
  await busily(() => work(files, chosen), ({ message }) => {
    if (message === "cancelled") tell("Cancelled.");
    else showFailure({ error: message });
  });
}

/** Do some work while no other can be asked for; what it throws is told. */
async function busily(work, told) {
  page.busy = true;
  showProgress(null);
  updateButtons();
  await work().catch(told);
  page.busy = false;
  updateButtons();
}

/** Count, then judge the published p-value, then draw: each part is shown as soon as it is there. */
async function countAll(files, chosen) {
  const { changes } = page;
  const result = await ask({ do: "test", ...chosen }, files);
  if (result.error) return showFailure(result);
  showResult(result);
  element("stale").hidden = changes === page.changes;
  tell(`${result.known}, in ${result.time}.`);
  if (chosen.published.trim()) showVerdict(await ask({ do: "audit", ...chosen }, files));
  await draw(String(Math.min(MOST_SECONDS_UNASKED, Number(chosen.seconds))));
}

/** Test all pairs of systems; two alone are one test, as of their columns. */
async function compareAll(files, chosen) {
  const systems = chosenSystems();
  const some = files.length > 1 ? files.filter(({ name }) => systems.includes(name)) : files;
  const columns = files.length > 1 || chosen.runs ? chosen.columns : systems;
  if (!chosen.runs && systems.length < LEAST_SYSTEMS) return countAll(some, { ...chosen, columns });
  const { changes } = page;
  const result = await ask({ do: "compare", ...chosen, columns }, some);
  if (result.error) return showFailure(result);
  showResult(result);
  showBoard(result);
  showPicture(result.svg, "leaderboard.svg", `Decisions between all pairs of systems. ${result.words}`);
  element("stale").hidden = changes === page.changes;
  tell(`${result.words} In ${result.time}.`);
}

async function draw(seconds) {
  const { words } = page.result;
  element("picture-words").textContent = "Drawing the null distribution";
  const drawn = await ask({ do: "draw", seconds });
  element("picture-words").textContent = drawn.error ? `Not drawn: ${drawn.error}` : "";
  if (drawn.svg) showPicture(drawn.svg, "null-distribution.svg", `Null distribution, the tail marked. ${words}`);
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

function showFailure({ error, refused, answers = [] }) {
  showOnly("failure");
  const title = refused ? "Refused before it started" : "Not computed";
  tell(`${title}: see the result.`);
  element("failure-title").textContent = title;
  element("failure-text").textContent = error;
  element("answers").replaceChildren(...answers.flatMap(answersOf));
  const line = page.held ? null : /line (\d+)/.exec(error);
  element("show-line").hidden = !line;
  if (line) {
    element("show-line").textContent = `Show line ${line[1]}`;
    element("show-line").dataset.line = line[1];
  }
  reveal();
}

/** Return the ways to answer a question: a button where the page has the settings, each choice where one is asked for. */
function answersOf({ settings: said, words, choose: name }) {
  const fields = Object.fromEntries(readingFields().map((field) => [field.name, field]));
  if (name && fields[name]) {
    return Object.entries(fields[name].words).map(([value, text]) => answerOf({ [name]: value }, capitalised(value), text));
  }
  const names = Object.keys(said);
  const known = names.length && names.every((each) => each in fields || each in OF_THE_PAGE);
  const label = (each) => document.querySelector(`label[for="${each}"]`).textContent;
  return [answerOf(known ? said : null, known ? names.map((each) => `${label(each)}: ${said[each]}`).join("; ") : "", words)];
}

/** Return one answer; its button sets what it says, and counts. */
function answerOf(said, title, words) {
  const item = made("li", words ? ` ${words}` : "");
  if (!said) return item;
  const button = Object.assign(made("button", title), { type: "button" });
  button.addEventListener("click", async () => {
    apply(said);
    page.edits++; // other settings may offer other columns
    changed();
    await count(countAll);
  });
  item.prepend(button);
  return item;
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
  say("ahead", result.ahead);
  element("kind").textContent = result.kind;
  element("p").textContent = result.p;
  say("known", result.known);
  element("copy-fraction").hidden = !result.whole;
  say("words", result.words);
  say("interval", result.interval);
  say("sentence", result.sentence);
  say("refused", result.refused && `The exact count was refused: ${result.refused}. ${result.tests
    ? "The decisions are certain all the same: they are made by bounds of the exact p-values."
    : "The exact p-value is in this bracket, by a theorem."}`);
  element("facts").replaceChildren(...result.facts.flatMap(([title, words]) => [made("dt", title), made("dd", words)]));
  element("report").textContent = result.text;
  element("verdict").hidden = true;
  forgetPicture();
  element("board").hidden = true;
  element("picture-words").textContent = "";
  reveal();
}

/** Show a text in its place, which is hidden where there is none. */
function say(id, words) {
  element(id).textContent = words || "";
  element(id).hidden = !words;
}

function made(tag, text) {
  const found = document.createElement(tag);
  found.textContent = text;
  return found;
}

/** Show a leaderboard: the means of the systems, and a table of the tests that its headers sort. */
function showBoard({ means, tests }) {
  element("board").hidden = false;
  fillTable(element("means"), ["system", "mean", "minus the best"], means, 1, 3);
  const names = ["first", "second", "difference", "p", "adjusted p", "better"];
  fillTable(element("tests"), names, tests, 2, 5);
  const [body] = element("tests").tBodies;
  const heads = [...element("tests").tHead.rows[0].cells];
  heads.forEach((head, i) => {
    const button = Object.assign(made("button", names[i]), { type: "button" });
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      body.append(...[...body.rows].sort((a, b) => sign * inOrder(a.cells[i].textContent, b.cells[i].textContent)));
    });
  });
}

/** Compare two cells: as numbers, which may be bounds, else as texts. */
function inOrder(a, b) {
  const [x, y] = [a, b].map((text) => parseFloat(text.replace("\u2212", "-").replace("at most ", "")));
  return x - y || a.localeCompare(b);
}

/** Fill a table of texts: a header of names, and rows whose cells in places ``left`` to ``right`` are numbers. */
function fillTable(table, names, rows, left = 0, right = 0) {
  const rowOf = (cells, name) => {
    const row = document.createElement("tr");
    row.append(...cells.map((text, i) => {
      const cell = Object.assign(made(name, text), { className: i >= left && i < right ? "number" : "" });
      cell.dataset.column = names[i]; // its label where the table is folded
      return cell;
    }));
    return row;
  };
  const [head, body] = [document.createElement("thead"), document.createElement("tbody")];
  head.append(rowOf(names, "th"));
  for (const cell of head.rows[0].cells) cell.scope = "col";
  body.append(...rows.map((cells) => rowOf(cells, "td")));
  table.replaceChildren(head, body);
}

const VERDICTS = {
  fine: ["good", "fine"],
  question: ["open", "true only if its author answers yes"],
  undecided: ["open", "not decided by the work allowed"],
  unreadable: ["open", "cannot be judged"],
  wrong: ["bad", "cannot be"],
};

function showVerdict(verdict) {
  const [style, title] = VERDICTS[verdict.error ? "unreadable" : verdict.heap];
  element("verdict").className = `card ${style}`;
  element("verdict-title").textContent =
    `Published p-value: ${title}${verdict.differs ? ", and it decides otherwise" : ""}`;
  element("verdict-details").replaceChildren(...(verdict.details || [verdict.error]).map((words) => made("li", words)));
  element("verdict").hidden = false;
}

function forgetPicture() {
  if (page.picture) URL.revokeObjectURL(page.picture);
  page.picture = null;
  element("drawing").hidden = true;
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

async function copy(text, button) {
  const label = button.textContent;
  button.textContent = await navigator.clipboard.writeText(text).then(() => "Copied", () => "Your browser does not copy");
  setTimeout(() => { button.textContent = label; }, 1500);
}

/** Return the address of this page with the settings, without the data. */
function settingsLink() {
  const said = { ...settings(), columns: chosenColumns().join("\u001f") };
  const systems = chosenSystems();
  const all = element("systems-list").querySelectorAll("input").length;
  if (currentFiles().length < 2 && !said.runs && systems.length < all) said.systems = systems.join("\u001f");
  const usual = { ...putBack(), ...OF_THE_PAGE };
  const kept = Object.entries(said).filter(([name, value]) => value && value !== usual[name]);
  return `${location.href.split("#")[0]}#${new URLSearchParams(kept)}`;
}

/** Set the fields; what a field does not know is left as it is. Columns are chosen when they are on offer. */
function apply(values) {
  const listed = (name) => (values[name] ? values[name].split("\u001f") : null);
  page.wanted = { columns: listed("columns"), systems: listed("systems") };
  page.chosenByHand = false;
  for (const name of [...Object.keys({ ...OF_THE_DATA, ...OF_THE_PAGE }), ...readingFields().map((field) => field.name)]) {
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
  const tellOf = (words, mark) => Object.assign(element("recounted"), { textContent: words, className: mark });
  tellOf("Counting again", "");
  await busily(async () => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const found = await ask({ do: "recount", seconds: element("seconds").value }, [{ name: file.name, bytes }]);
    const wrong = found.error || found.differs;
    if (wrong) tellOf(`Not confirmed: ${wrong}`, "bad");
    else tellOf(`Confirmed: ${file.name}, counted again, every field agrees.`, "good");
  }, ({ message }) => tellOf(`Not counted again: ${message}`, ""));
}

/** Say how many items a test of gains and losses needs. */
function planned() {
  const values = Object.fromEntries(["gain", "loss", "power", "alternative", "seconds"].map((id) => [id, element(id).value]));
  return busily(async () => {
    const { words, error, svg } = await ask({ do: "plan", ...values });
    say("planned", words || error);
    URL.revokeObjectURL(element("sawtooth").src);
    const address = svg ? URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })) : "";
    Object.assign(element("sawtooth"), { hidden: !svg, alt: `Power by number of items. ${words}`, src: address });
  }, ({ message }) => say("planned", message));
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
    "copy-fraction": (event) => copy(page.result.whole, event.target),
    "copy-link": (event) => copy(settingsLink(), event.target),
    "save-record": () => save("exactperm-record.json", page.result.record, "application/json"),
    "save-picture": () => save(page.svgName, page.svg, "image/svg+xml"),
    compare: () => count(compareAll),
    plan: planned,
    "all-systems": () => {
      for (const box of element("systems-list").querySelectorAll("input")) box.checked = true;
      countSystems();
    },
    "choose-record": () => element("record-file").click(),
  };
  for (const [id, act] of Object.entries(clicks)) element(id).addEventListener("click", act);
  element("form").addEventListener("submit", (event) => { event.preventDefault(); count(countAll); });
  element("text").addEventListener("input", textChanged);
  element("form").addEventListener("input", changed);
  element("systems-list").addEventListener("change", () => { page.wanted.systems = null; countSystems(); });
  element("text").addEventListener("paste", pasted);
  element("statistic").addEventListener("change", () => {
    page.wanted = {};
    readAgain();
  });
  element("columns").addEventListener("input", () => { page.chosenByHand = true; page.wanted.columns = null; });
  window.addEventListener("dragover", draggedOver);
  window.addEventListener("dragleave", () => element("drop").classList.remove("over"));
  window.addEventListener("drop", dropped);
  pickFile("file", takeFiles);
  pickFile("record-file", recount);
  window.addEventListener("hashchange", () => {
    if (page.about) apply({ ...putBack(), ...OF_THE_PAGE, ...Object.fromEntries(new URLSearchParams(location.hash.slice(1))) });
  });
}

fillExamples();
listen();
startWorker().catch((error) => fail(error.message));
