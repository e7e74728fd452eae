/**
 * The step after the compiler: generated documents and the bundle of the workflows. With `--check` it writes nothing,
 * and fails when a generated document is not what the program would write.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleWorkflowCode, DefaultLogger } from "@temporalio/worker";
import { commandPage, helpText } from "../cli/help-page.js";
import { refusalsPage } from "../core/refusals-doc.js";

/** The project's root, seen from `dist/src/build`. */
const root = fileURLToPath(new URL("../../../", import.meta.url));
const dist = join(root, "dist");

/** Writes only what differs, so that a build without changes touches nothing. */
async function write(path: string, content: string): Promise<void> {
  if (existsSync(path) && (await readFile(path, "utf8")) === content) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** Digest of everything that may end up in the bundle. */
async function bundleInputs(): Promise<string> {
  const hash = createHash("sha256");
  for (const folder of ["workflows", "src/core", "activities"]) {
    const names = (await readdir(join(dist, folder), { recursive: true })).filter((name) =>
      name.endsWith(".js"),
    );
    for (const name of names.toSorted()) {
      hash.update(name).update(await readFile(join(dist, folder, name)));
    }
  }
  return hash.update(await readFile(join(root, "package-lock.json"))).digest("hex");
}

async function bundleWorkflows(): Promise<void> {
  const out = join(dist, "workflow-bundle.js");
  const stamp = join(dist, "workflow-bundle.inputs");
  const inputs = await bundleInputs();
  if (existsSync(out) && existsSync(stamp) && (await readFile(stamp, "utf8")) === inputs) return;
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(dist, "workflows", "index.js"),
    logger: new DefaultLogger("ERROR"),
  });
  await writeFile(out, code);
  await writeFile(stamp, inputs);
}

const documents = [
  { path: join(root, "docs", "refusals.md"), content: refusalsPage() },
  { path: join(root, "docs", "cli.md"), content: commandPage() },
];

/** Names each document that differs, and says how to make it again. */
async function check(): Promise<void> {
  for (const { path, content } of documents) {
    if (existsSync(path) && (await readFile(path, "utf8")) === content) continue;
    process.stderr.write(
      `${relative(root, path)} is not what the program says. Run \`npm run build\` and commit it.\n`,
    );
    process.exitCode = 1;
  }
}

async function build(): Promise<void> {
  for (const { path, content } of documents) await write(path, content);
  await write(join(dist, "help.txt"), helpText());
  await chmod(join(dist, "src", "cli", "main.cjs"), 0o755);
  const askpass = join("src", "git", "askpass.sh");
  await copyFile(join(root, askpass), join(dist, askpass));
  await bundleWorkflows();
}

await (process.argv.includes("--check") ? check() : build());
