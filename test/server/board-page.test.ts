import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { boardPage } from "../../src/server/board-page.js";
import { boardScript } from "../../src/server/board-script.js";

/** As much of a browser's element as the script uses. */
class Element {
  readonly children: (Element | string)[] = [];
  readonly attributes = new Map<string, string>();
  hidden = false;
  className = "";

  constructor(readonly tag: string) {}

  set textContent(text: string) {
    this.children.splice(0, this.children.length, text);
  }

  get textContent(): string {
    return this.children
      .map((child) => (typeof child === "string" ? child : child.textContent))
      .join(" ");
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  append(...children: (Element | string)[]): void {
    this.children.push(...children);
  }

  replaceChildren(...children: (Element | string)[]): void {
    this.children.splice(0, this.children.length, ...children);
  }

  all(tag: string): Element[] {
    return this.children.flatMap((child) =>
      typeof child === "string" ? [] : [...(child.tag === tag ? [child] : []), ...child.all(tag)],
    );
  }
}

/** Runs the page's script once on an answer of `board.json`; the elements by id come back. */
async function shown(answer: { status: number; body: unknown }) {
  const ids = [...boardPage.matchAll(/ id="([\w-]+)"/g)].map(([, id = ""]) => id);
  const elements = new Map(ids.map((id) => [id, new Element(id)]));
  const done = new Promise<void>((resolve) => {
    runInNewContext(boardScript, {
      document: {
        getElementById: (id: string) => elements.get(id),
        createElement: (tag: string) => new Element(tag),
        createTextNode: (text: string) => text,
      },
      Node: Element,
      AbortSignal,
      fetch: () =>
        Promise.resolve({
          ok: answer.status === 200,
          status: answer.status,
          json: () => Promise.resolve(answer.body),
        }),
      // The script asks for its next turn when it has shown this one.
      setTimeout: () => resolve(),
    });
  });
  await done;
  return (id: string): Element => {
    const element = elements.get(id);
    if (element === undefined) throw new Error(`the page has no element ${id}`);
    return element;
  };
}

const row = {
  item: "YOK-7",
  title: "<img src=x onerror=alert(1)>",
  status: "landing",
  phase: "pending",
  where: "in the queue, position 3",
  why: "third in the queue",
  next: null,
  pullRequest: 12,
  url: "https://github.example/acme/widgets/pull/12",
  episode: 2,
  position: 3,
  etaSeconds: 240,
  checks: "checks of the group: 3 passed, 1 running",
  failedChecks: [],
  holder: "session-1",
  ageSeconds: 7300,
};

function board(given: { project?: object; row?: object } = {}) {
  return {
    at: "2026-03-01T12:05:00.000Z",
    projects: [
      {
        project: "YOK",
        repository: "acme/widgets",
        gateBranch: "main",
        refreshedAt: "2026-03-01T12:00:00.000Z",
        upkeepSeconds: 60,
        stale: false,
        refreshError: null,
        freeze: null,
        items: [{ ...row, ...given.row }],
        ...given.project,
      },
    ],
    notices: [],
    awaitingLanding: [],
  };
}

describe("the board in a browser", () => {
  it("A1.5 shows project, item, where it stands, pull request, age and next step, all as text", async () => {
    const element = await shown({ status: 200, body: board() });
    const text = element("rows").textContent;
    const said = [row.title, row.where, row.why, row.checks];
    for (const part of ["YOK", "YOK-7", ...said, "#12", "2 h", "wait"]) {
      expect(text).toContain(part);
    }
    expect(element("rows").all("img")).toEqual([]);
    expect(
      element("rows")
        .all("a")
        .map(({ attributes }) => attributes.get("href")),
    ).toEqual([row.url]);
    expect(element("warnings").hidden).toBe(true);
    expect(element("empty").hidden).toBe(true);
    expect(element("state").textContent).toContain("As of");
  });

  it("makes no link of what is no http address", async () => {
    const body = board({ row: { url: "javascript:alert(1)" } });
    const element = await shown({ status: 200, body });
    expect(element("rows").all("a")).toEqual([]);
  });

  it("A4.2 says when GitHub was not read for more than two intervals, and why a refresh failed", async () => {
    const refreshError = {
      code: "github_access_refused",
      message: "The token was revoked.",
      at: "2026-03-01T12:01:00.000Z",
    };
    const element = await shown({
      status: 200,
      body: board({ project: { stale: true, refreshError } }),
    });
    expect(element("warnings").hidden).toBe(false);
    expect(element("warnings").textContent).toMatch(
      /YOK: old data. GitHub was last read 5 min ago, and more than two intervals of 1 min went by/,
    );
    expect(element("warnings").textContent).toContain("github_access_refused");
  });

  it("A16.3 says that a project is frozen, until when, whether it drains, and why", async () => {
    const freeze = { reason: "release 4.2", until: "2026-03-01T18:00:00.000Z", drain: true };
    const element = await shown({ status: 200, body: board({ project: { freeze } }) });
    expect(element("warnings").textContent).toBe(
      "YOK is frozen until 2026-03-01T18:00:00.000Z; what is armed still lands: release 4.2",
    );
  });

  it("A4.2 before the first pass it says that GitHub was not read yet, and raises no alarm until one is overdue", async () => {
    const project = { refreshedAt: null };
    const early = await shown({ status: 200, body: board({ project }) });
    expect(early("warnings").hidden).toBe(true);
    expect(early("read").textContent).toBe("YOK: GitHub was not read yet; it is due every 1 min");
    const overdue = await shown({
      status: 200,
      body: board({ project: { ...project, stale: true } }),
    });
    expect(overdue("warnings").textContent).toMatch(
      /^YOK: no data\. GitHub was not read yet.*went by/,
    );
  });

  it("A11.1 a merged item says the command to enter, and one that is closed out says nothing is to do", async () => {
    const next = "Close it out with `yoke merge item YOK-7`.";
    const owed = await shown({ status: 200, body: board({ row: { phase: "landed", next } }) });
    const nextStep = (element: Awaited<ReturnType<typeof shown>>) =>
      element("rows").all("td").at(-1)?.textContent;
    expect(nextStep(owed)).toBe(next);
    const done = { phase: "closed_out", status: "landed", next: null };
    expect(nextStep(await shown({ status: 200, body: board({ row: done }) }))).toBe("nothing");
    expect(nextStep(await shown({ status: 200, body: board() }))).toBe("wait");
  });

  it("A6.3 a notice that reached nobody says why, and where the remedy is", async () => {
    const notice = {
      item: "YOK-7",
      title: "YOK-7 landed",
      next: null,
      state: "pending",
      lastError: "its holder is gone and the project has no steering seat",
    };
    const element = await shown({ status: 200, body: { ...board(), notices: [notice] } });
    expect(element("notices").textContent).toBe(
      `YOK-7: YOK-7 landed (not delivered: ${notice.lastError}; yoke explain YOK-7 says what to do)`,
    );
  });

  it("says so when the board itself cannot be read", async () => {
    const refusal = {
      code: "database_unavailable",
      message: "Postgres is away.",
      next: "Start it.",
    };
    const element = await shown({ status: 503, body: { refusals: [refusal] } });
    expect(element("state").className).toBe("act");
    expect(element("state").textContent).toContain("database_unavailable: Postgres is away.");
  });
});
