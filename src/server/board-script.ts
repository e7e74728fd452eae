/**
 * The board's script, as the browser runs it. Every text is set as text, never as markup, and a link only when it is an
 * http address: titles and messages are other people's words.
 */
export const boardScript = `"use strict";
const everyMs = 5000;
const byId = (id) => document.getElementById(id);

function make(tag, text, attributes) {
  const node = document.createElement(tag);
  if (text !== undefined && text !== null) node.textContent = String(text);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  return node;
}

function duration(seconds) {
  if (seconds < 60) return seconds + " s";
  if (seconds < 3600) return Math.floor(seconds / 60) + " min";
  if (seconds < 172800) return Math.floor(seconds / 3600) + " h";
  return Math.floor(seconds / 86400) + " d";
}

function link(url, text) {
  return /^https?:\\/\\//.test(url || "") ? make("a", text, { href: url, rel: "noreferrer" }) : make("span", text);
}

function cell(label, content) {
  const td = make("td", undefined, { "data-label": label });
  td.append(content instanceof Node ? content : document.createTextNode(content === null ? "" : String(content)));
  return td;
}

const tone = { stopped: "act", landed: "act", held: "wait", unarmed: "wait", pending: "go", waiting_reentry: "go", closed_out: "done", closed: "done" };

function where(row) {
  const box = make("div");
  box.append(make("strong", row.where, { class: tone[row.phase] || "wait" }));
  const more = [row.why];
  if (row.checks !== null) more.push(row.checks);
  for (const check of row.failedChecks) more.push(check);
  if (row.episode > 1) more.push("episode " + row.episode);
  box.append(make("div", more.join("; "), { class: "why" }));
  return box;
}

function tableRow(project, row) {
  const tr = make("tr");
  const item = make("th", undefined, { scope: "row" });
  item.append(make("span", row.item), make("div", row.title, { class: "title" }));
  if (row.holder !== null) item.append(make("div", "held by " + row.holder, { class: "why" }));
  tr.append(
    cell("Project", project.project),
    item,
    cell("Where it stands", where(row)),
    cell("Pull request", row.pullRequest === null ? "none" : link(row.url, "#" + row.pullRequest)),
    cell("Age", duration(row.ageSeconds)),
    cell("Next step", row.next !== null ? row.next : row.status === "landed" ? "nothing" : "wait"),
  );
  return tr;
}

function readAgo(project, at) {
  if (project.refreshedAt === null) {
    return "GitHub was not read yet; it is due every " + duration(project.upkeepSeconds);
  }
  const seconds = Math.max(0, Math.floor((Date.parse(at) - Date.parse(project.refreshedAt)) / 1000));
  return "GitHub was last read " + duration(seconds) + " ago";
}

function warnings(board) {
  const list = [];
  for (const project of board.projects) {
    if (project.stale) {
      list.push(project.project + (project.refreshedAt === null ? ": no data. " : ": old data. ") +
        readAgo(project, board.at) + ", and more than two intervals of " + duration(project.upkeepSeconds) +
        " went by; see yoke doctor.");
    }
    if (project.freeze !== null) {
      list.push(project.project + " is frozen" + (project.freeze.until === null ? "" : " until " + project.freeze.until) +
        (project.freeze.drain ? "; what is armed still lands" : "") + ": " + project.freeze.reason);
    }
    if (project.refreshError !== null) {
      list.push(project.project + ": " + project.refreshError.code + " at " + project.refreshError.at + ": " + project.refreshError.message);
    }
  }
  return list;
}

function delivery(notice) {
  if (notice.state !== "pending" || notice.lastError === null) return notice.state;
  return "not delivered: " + notice.lastError + "; yoke explain " + notice.item + " says what to do";
}

function fill(list, texts) {
  list.replaceChildren(...texts.map((text) => make("li", text)));
  list.hidden = texts.length === 0;
}

function show(board) {
  const rows = board.projects.flatMap((project) => project.items.map((row) => tableRow(project, row)));
  byId("rows").replaceChildren(...rows);
  byId("empty").hidden = rows.length > 0;
  byId("table").hidden = rows.length === 0;
  fill(byId("warnings"), warnings(board));
  fill(byId("notices"), board.notices.map((notice) =>
    notice.item + ": " + notice.title + (notice.next === null ? "" : " Next: " + notice.next) + " (" + delivery(notice) + ")"));
  byId("notices-title").hidden = board.notices.length === 0;
  fill(byId("waiting"), board.awaitingLanding.map(({ session, items }) => session + ": " + items.join(", ")));
  byId("waiting-title").hidden = board.awaitingLanding.length === 0;
  byId("read").textContent = board.projects.map((project) => project.project + ": " + readAgo(project, board.at)).join(" · ");
}

let shownAt = null;

async function refresh() {
  const state = byId("state");
  try {
    const response = await fetch("board.json", { cache: "no-store", signal: AbortSignal.timeout(20000) });
    const body = await response.json();
    if (!response.ok) {
      const refusal = (body.refusals || [])[0];
      throw new Error(refusal ? refusal.code + ": " + refusal.message + " " + refusal.next : "status " + response.status);
    }
    show(body);
    shownAt = new Date();
    state.className = "";
    state.textContent = "As of " + shownAt.toLocaleTimeString();
  } catch (error) {
    state.className = "act";
    state.textContent = (shownAt === null ? "Nothing could be read" : "Old data, from " + shownAt.toLocaleTimeString()) +
      ". " + error.message;
  }
  setTimeout(refresh, everyMs);
}

refresh();
`;
