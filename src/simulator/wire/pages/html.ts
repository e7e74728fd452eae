/** Text into HTML, safely. */

/** Markup that is already safe. */
export class Markup {
  constructor(readonly text: string) {}
}

/** A template whose values are escaped, unless they are markup. */
export function markup(
  parts: TemplateStringsArray,
  ...values: readonly (Markup | readonly Markup[] | string | number)[]
): Markup {
  const text = parts.reduce((sum, part, at) => sum + shown(values[at - 1] ?? "") + part);
  return new Markup(text);
}

function shown(value: Markup | readonly Markup[] | string | number): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(({ text }) => text).join("");
  return String(value).replaceAll(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0) ?? 0};`);
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8884}
code{font-size:.9em}a{color:inherit}h2{margin-top:2rem}.none{color:#888}@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}}`;

export function documentOf(title: string, body: Markup): string {
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${new Markup(STYLE)}</style></head>
<body><h1>${title}</h1>${body}</body></html>
`.text;
}

/** A table, or a line that says there is nothing. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly (Markup | string)[])[],
): Markup {
  if (rows.length === 0) return markup`<p class="none">None.</p>`;
  const head = heads.map((one) => markup`<th scope="col">${one}</th>`);
  const lines = rows.map(
    (row) => markup`<tr>${row.map((cell) => markup`<td>${cell}</td>`)}</tr>
`,
  );
  return markup`<table><thead><tr>${head}</tr></thead><tbody>${lines}</tbody></table>`;
}
