"use strict";
// Everything from a case, a client or a server becomes text nodes, or a data: URL in an image or
// audio element, where no script can run. Nothing is ever parsed as HTML.

const DATA = JSON.parse(document.getElementById("data").textContent);
const CASE = document.getElementById("case");
const BODY = document.getElementById("case-body");
const GRID = document.getElementById("grid");

function make(name, className, ...children) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

// Text with invisible characters spelled out, and a range of it marked.

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

function spelled(character) {
  const code = character.codePointAt(0);
  const named = { 9: "\\t", 13: "\\r" }[code];
  return named || (code > 0xffff ? `\\u{${code.toString(16)}}` : "\\u" + code.toString(16).padStart(4, "0"));
}

function shown(text) {
  const nodes = [];
  let plain = "";
  for (const character of text) {
    if (character !== "\n" && !INVISIBLE.test(character)) {
      plain += character;
      continue;
    }
    nodes.push(plain);
    plain = character === "\n" ? "\n" : "";
    const sign = make("span", "inv", character === "\n" ? "↵" : spelled(character));
    sign.title = "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    nodes.push(sign);
  }
  return [...nodes, plain];
}

// Spaces can be seen between words, but not at the edges of a text.

function edges(text) {
  const [, before, middle, after] = /^( *)(.*?)( *)$/su.exec(text);
  const dots = (spaces) => (spaces ? [make("span", "inv", "·".repeat(spaces.length))] : []);
  return [...dots(before), ...shown(middle), ...dots(after)];
}

function textBlock(text, range) {
  const block = make("div", "text");
  if (!range) {
    block.append(...edges(text));
  } else {
    const [start, end] = range;
    block.append(...shown(text.slice(0, start)));
    block.append(make("mark", "", ...shown(text.slice(start, end) || "∅")));
    block.append(...shown(text.slice(end)));
  }
  if (!text) block.append(make("span", "inv", "empty"));
  return block;
}

// Where two texts differ: what is left between their common start and their common end.

function difference(one, other) {
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  const room = Math.min(one.length, other.length) - start;
  while (end < room && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  return { start, one: one.length - end, other: other.length - end, common: start + end };
}

function closest(text, others) {
  let best = null;
  for (const [index, other] of others.entries()) {
    const found = difference(text, other);
    if (found.common > 0 && (!best || found.common > best.common)) best = { ...found, index };
  }
  return best;
}

// Parts of what the server sends and of what the model is sent look alike here.

function mediaSource(part) {
  const type = String(part.mimeType || "").toLowerCase();
  const known = /^(image|audio|video|application|text)\/[-\w.+]+/.exec(type);
  return `data:${known ? known[0] : "application/octet-stream"};base64,${part.data}`;
}

function partBlock(part, range) {
  const block = make("div", "part");
  if (part.type === "text") {
    block.append(textBlock(part.text || "", range));
  } else if (part.type === "image" && part.data) {
    const image = document.createElement("img");
    image.src = mediaSource(part);
    image.alt = "the image of this part";
    block.append(image);
  } else if (part.type === "audio" && part.data) {
    const audio = document.createElement("audio");
    audio.controls = true;
    audio.preload = "metadata";
    audio.src = mediaSource(part);
    block.append(audio);
  } else if (part.document !== undefined) {
    block.append(textBlock(part.document));
  }
  const told = [part.type === "text" ? "" : part.type];
  for (const name of ["mimeType", "uri", "name", "title", "description", "size", "bytes", "cut"]) {
    if (part[name] !== undefined && part[name] !== null) told.push(`${name}: ${part[name]}`);
  }
  const line = told.filter(Boolean).join(", ");
  if (line) block.append(make("p", "told", ...shown(line)));
  return block;
}

function turnBlock(turn, ranges) {
  if (turn.own) {
    const parts = turn.content.map((part) => partBlock(part));
    return make("details", "turn own", make("summary", "role", ...shown(turn.own)), ...parts);
  }
  const block = make("div", "turn");
  block.append(make("span", "role", ...shown(turn.role || "no role stated")));
  for (const part of turn.content) block.append(partBlock(part, ranges.get(part)));
  return block;
}

function texts(turns) {
  return turns.flatMap((turn) => turn.content.filter((part) => part.type === "text" && part.text));
}

function changedRanges(expected, observed) {
  const ranges = new Map();
  const got = texts(observed);
  for (const part of texts(expected)) {
    if (got.some((other) => other.text.includes(part.text))) continue;
    const found = closest(part.text, got.map((other) => other.text));
    if (!found) continue;
    ranges.set(part, [found.start, found.one]);
    ranges.set(got[found.index], [found.start, found.other]);
  }
  return ranges;
}

function copyable(label, text) {
  const button = make("button", "copy", "Copy");
  button.type = "button";
  button.addEventListener("click", async () => {
    const range = document.createRange();
    range.selectNodeContents(block);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Selected: press Ctrl+C";
    }
  });
  const block = make("pre", "", text);
  block.tabIndex = 0;
  return make("div", "", make("h3", "", label), block, button);
}

function findingBlock(finding) {
  const block = make("section", "finding");
  const level = finding.level ? `, ${finding.level}` : "";
  block.append(make("p", "summary", ...shown(`${finding.severity}${level}: ${finding.summary}`)));
  block.append(make("p", "basis", ...shown(`This ${finding.why}.`)));
  if (finding.flaky) {
    const rate = `${finding.flaky.failed} of ${finding.flaky.of}`;
    block.append(make("p", "basis", `Flaky: ${rate} fresh tries showed it.`));
  }
  if (!finding.evidence) {
    const where = "The case is private: it stands only in the folder private/. Report it privately.";
    block.append(make("p", "nothing", where));
    return block;
  }
  const { expected, observed, error, asked, requests, caseText } = finding.evidence;
  if (asked) block.append(make("p", "told", ...shown(asked)));
  const ranges = changedRanges(expected, observed);
  const left = make("div", "side", make("h3", "", "the server sends"));
  const right = make("div", "side", make("h3", "", "the model gets"));
  for (const turn of expected) left.append(turnBlock(turn, ranges));
  for (const turn of observed) right.append(turnBlock(turn, ranges));
  if (!expected.length) left.append(make("p", "told", "no messages"));
  if (error) right.append(make("p", "nothing", ...shown(`Nothing is sent. The user sees: ${error}`)));
  else if (observed.every((turn) => turn.own)) {
    const nothing = observed.length ? "Nothing else reaches the model." : "Nothing reaches the model.";
    right.append(make("p", "nothing", nothing));
  }
  block.append(make("div", "sides", left, right));
  if (requests && requests.length) {
    const list = make("pre", "", ...requests.flatMap((line) => [...shown(line), "\n"]));
    list.tabIndex = 0;
    block.append(make("h3", "", "the server is asked"), list);
  }
  block.append(copyable("see it yourself", finding.commands.join("\n")));
  const more = make("details", "", make("summary", "", "the case as JSON"));
  more.append(copyable("case.json", caseText));
  block.append(more);
  return block;
}

// Opening and closing.

let opener = null;

function open(cell) {
  const run = DATA.runs[Number(cell.dataset.run)];
  const rule = cell.closest("tr").dataset.rule;
  document.getElementById("case-title").replaceChildren(...shown(`${rule}, ${run.name} ${run.version}`));
  const wanted = cell.dataset.findings.split(" ");
  BODY.replaceChildren(...wanted.map((id) => findingBlock(run.findings[id])));
  opener = cell;
  CASE.showModal();
  CASE.scrollTop = 0;
}

GRID.addEventListener("click", (event) => {
  const cell = event.target.closest("button.cell");
  if (cell) open(cell);
});
document.getElementById("close").addEventListener("click", () => CASE.close());
CASE.addEventListener("click", (event) => {
  if (event.target === CASE) CASE.close();
});
// "close" arrives a task later than the closing: by then the reader may have opened the next cell or
// moved on. The browser itself has given the focus back, but where a click gives buttons none.
CASE.addEventListener("close", () => {
  if (CASE.open) return;
  BODY.replaceChildren();
  if (opener && document.activeElement === document.body) opener.focus();
});

// Arrow keys: from cell to cell that can be opened.

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

GRID.addEventListener("keydown", (event) => {
  const move = MOVES[event.key];
  const cell = event.target.closest("button.cell");
  if (!move || !cell) return;
  const rows = [...GRID.tBodies[0].rows].filter((row) => !row.hidden);
  let down = rows.indexOf(cell.closest("tr"));
  let across = cell.closest("td").cellIndex;
  for (;;) {
    down += move[0];
    across += move[1];
    const place = rows[down] && rows[down].cells[across];
    if (!place) return;
    const next = place.querySelector("button.cell");
    if (!next) continue;
    event.preventDefault();
    next.focus();
    return;
  }
});

// Filters.

const RULE = document.getElementById("filter-rule");
const SEVERITY = document.getElementById("filter-severity");
const NEW = document.getElementById("filter-new");

function filter() {
  let count = 0;
  const words = RULE.value.toLowerCase().split(/[\s,]+/).filter(Boolean);
  const rows = [...GRID.tBodies[0].rows].filter((row) => row.dataset.rule);
  for (const row of rows) {
    const named = !words.length || words.some((word) => row.dataset.rule.includes(word));
    const bad = SEVERITY.value === "" || Number(row.dataset.worst) >= Number(SEVERITY.value);
    row.hidden = !(named && bad && (!NEW.checked || row.dataset.new === "1"));
    count += row.hidden ? 0 : 1;
  }
  document.getElementById("count").textContent = `${count} of ${rows.length} rules`;
}

for (const field of [RULE, SEVERITY, NEW]) field.addEventListener("input", filter);
document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
filter();
