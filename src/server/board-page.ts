/** The board: one page, nothing fetched but `board.json`. */
import { createHash } from "node:crypto";
import { boardScript } from "./board-script.js";

const style = `
:root { color-scheme: light dark; --line: #8886; --act: #b3261e; --go: #1b6e3c; --wait: #7a5b00; }
@media (prefers-color-scheme: dark) { :root { --act: #ff8a80; --go: #7fd6a0; --wait: #e6c35c; } }
* { box-sizing: border-box; }
body { font: 16px/1.45 system-ui, sans-serif; margin: 0 auto; padding: 1rem; max-width: 78rem; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .25rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; margin-bottom: 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { border-top: 0; font-size: .85rem; }
tbody th { font-weight: 600; }
.title { font-weight: 400; }
.why { font-size: .875rem; font-weight: 400; opacity: .8; }
.act { color: var(--act); } .go { color: var(--go); } .wait { color: var(--wait); }
#warnings { color: var(--act); padding-left: 1.2rem; }
[hidden] { display: none !important; }
@media (max-width: 44rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, th, td { display: block; }
  tr { border-top: 2px solid var(--line); padding: .5rem 0; }
  th, td { border: 0; padding: .15rem 0; }
  td[data-label]::before { content: attr(data-label) ": "; font-size: .85rem; opacity: .8; }
}
`;

/** Only this script and this style run, and only this server is asked. */
export const boardPolicy = [
  "default-src 'none'",
  `script-src 'sha256-${sha256(boardScript)}'`,
  `style-src 'sha256-${sha256(style)}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const boardPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>yoke</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>yoke</h1>
<span id="state" role="status">Reading…</span>
<span id="read" class="why"></span>
</header>
<main>
<noscript>This page needs JavaScript; <a href="board.json">board.json</a> has the same data.</noscript>
<ul id="warnings" role="alert" hidden></ul>
<p id="empty" hidden>No open item. Add one with <code>yoke items add</code>.</p>
<table id="table" hidden>
<thead><tr><th scope="col">Project</th><th scope="col">Item</th><th scope="col">Where it stands</th><th scope="col">Pull request</th><th scope="col">Age</th><th scope="col">Next step</th></tr></thead>
<tbody id="rows"></tbody>
</table>
<h2 id="notices-title" hidden>Open notices</h2>
<ul id="notices" hidden></ul>
<h2 id="waiting-title" hidden>Sessions that await a landing</h2>
<ul id="waiting" hidden></ul>
</main>
<script>${boardScript}</script>
</body>
</html>
`;

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
