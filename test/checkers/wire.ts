/** The simulated GitHub was asked only what it knows, and every fault that was laid was met. */
import { isUnused } from "../../src/simulator/wire/faults.js";
import type { Rule, SimulatedWorld } from "./world.js";

export const expectedRequests: Rule<SimulatedWorld> = {
  name: "GitHub was sent no request that it does not know",
  violations({ simulator }) {
    return Promise.resolve(
      simulator.services.log
        .unexpected()
        .map(({ method, path, unexpected }) => `${method} ${path}: ${String(unexpected)}`),
    );
  },
};

export const usedFaults: Rule<SimulatedWorld> = {
  name: "every scripted fault was met",
  violations({ simulator }) {
    return Promise.resolve(
      simulator.services.faults
        .list()
        .filter(isUnused)
        .map(({ script, used }) => `${JSON.stringify(script)} acted ${used} times`),
    );
  },
};
