import { chmodSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { rmSync } from "node:fs";
import { groupLives } from "../../src/git/process-group.js";
import { runGate, type GateRun } from "../../src/gates/run.js";

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "gate-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function gate(
  argv: readonly string[],
  more: { timeoutMs?: number; signal?: AbortSignal; cwd?: string } = {},
): Promise<GateRun> {
  const cwd = more.cwd ?? folder();
  return runGate({
    argv,
    env: { PATH: process.env["PATH"] },
    timeoutMs: 30_000,
    graceMs: 200,
    outputFile: join(folder(), "output"),
    ...more,
    cwd,
  });
}

const node = (script: string): readonly string[] => [process.execPath, "-e", script];

/** The ids that a gate printed, one a line. */
function printed(run: GateRun): number[] {
  if (run.ended === "not_executable") throw new Error(run.why);
  return run.output.head.trim().split("\n").map(Number);
}

describe("the command of a gate", () => {
  it("C4.8 ends with its own status, its output as it came, in its worktree", async () => {
    const cwd = folder();
    const run = await gate(
      node("console.log(process.cwd()); console.error('and this'); process.exit(3)"),
      { cwd },
    );
    expect(run).toMatchObject({ ended: "exit", status: 3, survivors: false });
    expect(run).toMatchObject({ output: { head: `${cwd}\nand this\n`, tail: "", cut: false } });
    expect(await gate(node("process.kill(process.pid, 'SIGABRT')"))).toMatchObject({
      ended: "signal",
      signal: "SIGABRT",
    });
  });

  it("C2.3 is argv: what a shell would read stays as it is", async () => {
    const run = await gate([...node("console.log(process.argv[1])"), "$(id); `id` && *"]);
    expect(run).toMatchObject({ ended: "exit", output: { head: "$(id); `id` && *\n" } });
  });

  it("C4.3 a program that is missing or may not be executed is said to be so", async () => {
    expect(await gate(["no-such-program-here"])).toMatchObject({ ended: "not_executable" });
    const file = join(folder(), "script");
    writeFileSync(file, "#!/bin/sh\n");
    chmodSync(file, 0o644);
    expect(await gate([file])).toMatchObject({ ended: "not_executable" });
  });

  it("C4.8 case C30 a timeout ends the whole process group: children, deaf ones and those of a substitution", async () => {
    const run = await gate(
      [
        "/bin/sh",
        "-c",
        `sleep 300 & echo $!
         (trap '' TERM; echo "$(sh -c 'echo $PPID')"; while :; do sleep 1; done) &
         echo $$
         inner=$(sleep 300)`,
      ],
      { timeoutMs: 1_000 },
    );
    expect(run).toMatchObject({ ended: "timeout", survivors: false });
    const group = printed(run).at(-1) as number;
    expect(printed(run)).toHaveLength(3);
    expect(groupLives(group)).toBe(false);
  });

  it("C4.8 case C30 a child that the command left behind is ended with it", async () => {
    const run = await gate(["/bin/sh", "-c", "sleep 300 & echo $$"]);
    expect(run).toMatchObject({ ended: "exit", status: 0, survivors: false });
    expect(groupLives(printed(run)[0] as number)).toBe(false);
  });

  it("C4.8 is ended when it is not wanted any more", async () => {
    const wanted = new AbortController();
    const running = gate(["/bin/sleep", "300"], { signal: wanted.signal });
    wanted.abort();
    expect(await running).toMatchObject({ ended: "cancelled", survivors: false });
  });

  it("C4.8 case C29 output that is not UTF-8 is kept byte by byte", async () => {
    const run = await gate(node("process.stdout.write(Buffer.from([0x9b, 0, 0xf8, 10]))"));
    expect(run).toMatchObject({ ended: "exit", output: { size: 4 } });
    const file = run.ended === "not_executable" ? "" : run.output.file;
    expect([...readFileSync(file)]).toEqual([0x9b, 0, 0xf8, 10]);
  });

  it("C4.8 much output is bounded in hand, and whole in its file", async () => {
    const run = await gate(
      node("for (let n = 0; n < 100000; n += 1) process.stdout.write(`line ${n}\\n`)"),
    );
    if (run.ended !== "exit") throw new Error(run.ended);
    const { head, tail, size, cut, file } = run.output;
    expect(head.startsWith("line 0\nline 1\n")).toBe(true);
    expect(tail.endsWith("line 99999\n")).toBe(true);
    expect(head.length + tail.length).toBe(32 * 1024);
    expect(cut).toBe(false);
    expect(readFileSync(file)).toHaveLength(size);
  });
});
