/** Each episode has at most one notice of each kind, what must be said is said, and a mailbox holds it once. */
import { readFile } from "node:fs/promises";
import { listLandings } from "../../db/landings.js";
import { listNotices } from "../../db/notices.js";
import { listSessions } from "../../db/sessions.js";
import type { Rule, World } from "./world.js";

const repeated = (words: readonly string[]): string[] => [
  ...new Set(words.filter((word, at) => words.indexOf(word) !== at)),
];

export const noticesOfEpisodes: Rule = {
  name: "each episode has at most one notice of each kind, and the one its phase calls for",
  async violations(world) {
    const notices = await listNotices(world.db, { project: world.project });
    const name = (one: { item: string; episode: number; kind: string }) =>
      `${one.item}, episode ${one.episode}, ${one.kind}`;
    const seen = repeated(notices.map(name)).map((one) => `there is more than one of ${one}`);
    const records = await listLandings(world.db, world);
    for (const item of new Set(records.map((record) => record.item))) {
      const own = records.filter((record) => record.item === item);
      const decided = own.flatMap(({ state }) => state.noticed).sort();
      const marks = notices
        .filter((one) => one.item === item)
        .map(({ episode, kind }) => `${episode}:${kind}`)
        .sort();
      if (marks.join() !== decided.join()) {
        seen.push(`${item} decided the notices [${decided.join()}]; stored are [${marks.join()}]`);
      }
    }
    for (const { item, state } of records) {
      const stored = notices.filter((one) => one.item === item);
      const { phase, episode, admitted } = state;
      const kind =
        phase === "landed" || phase === "closed_out"
          ? "landed"
          : // Nobody is waiting for a pull request that nothing was armed on.
            phase === "stopped" && admitted
            ? "stopped"
            : null;
      if (kind !== null && !stored.some((one) => one.episode === episode && one.kind === kind)) {
        seen.push(`${item} is ${phase} in episode ${episode}, and no notice says so`);
      }
    }
    return seen;
  },
};

export const mailboxes: Rule = {
  name: "a holder's mailbox holds each notice once",
  async violations(world) {
    const known = new Set(
      (await listNotices(world.db, { project: world.project })).map(({ key }) => key),
    );
    const boxes = [...(await fileMailboxes(world)), ...(world.mailboxes ?? [])];
    return boxes.flatMap((keys) => [
      ...repeated(keys).map((key) => `${key} was delivered more than once`),
      ...keys
        .filter((key) => !known.has(key))
        .map((key) => `${key} was delivered and is no notice`),
    ]);
  },
};

/** Keys in the files of the project's holders. */
async function fileMailboxes({ db, project }: World): Promise<string[][]> {
  const files = new Set(
    (await listSessions(db, { project })).flatMap(({ wakeRoute }) =>
      wakeRoute.kind === "file" ? [wakeRoute.path] : [],
    ),
  );
  const boxes: string[][] = [];
  for (const file of files) {
    const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    boxes.push(
      text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => (JSON.parse(line) as { readonly key: string }).key),
    );
  }
  return boxes;
}
