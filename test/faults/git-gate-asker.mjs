/** One git command that changes something: asks the gate, runs git, asks again (`git-gate.ts`). */
import { spawnSync } from "node:child_process";
import process from "node:process";

const { GATE_URL = "", GATE_GIT = "" } = process.env;
const args = process.argv.slice(2);

async function ask() {
  const answer = await fetch(GATE_URL, {
    method: "POST",
    headers: { "x-process": String(process.pid) },
    body: args.join(" "),
  });
  return answer.text();
}

/** Says what a git that broke off says: nothing that anybody could rely on. */
function breakOff() {
  process.stderr.write("fatal: unable to go on\n");
  process.exitCode = 128;
}

if ((await ask()) === "answer") {
  const { status } = spawnSync(GATE_GIT, args, { stdio: "inherit" });
  if ((await ask()) === "answer") process.exitCode = status ?? 128;
  else breakOff();
} else {
  breakOff();
}
