/** The worker of the build as a process of its own, which can be killed and is started again each time. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { RunningWorker } from "../../src/worker/run.js";

const program = fileURLToPath(new URL("../../dist/src/worker/main.js", import.meta.url));

export class WorkerProcess implements RunningWorker {
  readonly done: Promise<void>;
  readonly #env: NodeJS.ProcessEnv;
  readonly #said: string[] = [];
  #child: ChildProcess;
  #stopping = false;
  #ended: () => void = () => undefined;
  #polling: () => void = () => undefined;

  private constructor(env: NodeJS.ProcessEnv) {
    this.#env = { ...process.env, ...env };
    this.done = new Promise((resolve) => (this.#ended = resolve));
    this.#child = this.#spawn();
  }

  /** Resolves once it polls. */
  static async start(env: NodeJS.ProcessEnv): Promise<WorkerProcess> {
    const worker = new WorkerProcess(env);
    await new Promise<void>((resolve, reject) => {
      worker.#polling = resolve;
      worker.#child.once("exit", () => reject(new Error(`the worker ended: ${worker.said}`)));
    });
    return worker;
  }

  /** What its log says; for a failed run. */
  get said(): string {
    return this.#said.join("\n");
  }

  /** SIGKILL; resolves when it is gone, and another one is on its way. */
  async kill(): Promise<void> {
    await this.#end();
    if (!this.#stopping) this.#child = this.#spawn();
  }

  stop(): void {
    this.#stopping = true;
    void this.#end().then(this.#ended);
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  #spawn(): ChildProcess {
    const child = spawn(process.execPath, [program], {
      env: this.#env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    createInterface({ input: child.stderr }).on("line", (line) => {
      this.#said.push(line);
      if (line.includes('"polling"')) this.#polling();
    });
    return child;
  }
}
