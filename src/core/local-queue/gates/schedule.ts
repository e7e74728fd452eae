/** Which gates of a trial run side by side, and when: in order of stage, within what the host has (C2.8). */

export interface Resources {
  /** Cores that it keeps busy. */
  readonly cpuWeight: number;
  readonly memoryMb: number;
  readonly diskMb: number;
  readonly processSlots: number;
}

export interface WaitingGate {
  readonly name: string;
  /** Place of its stage: all gates of a stage pass before one of a later stage begins. */
  readonly stage: number;
  readonly needs: Resources;
}

const kinds = ["cpuWeight", "memoryMb", "diskMb", "processSlots"] as const;

/**
 * The gates that begin now, in order. Nobody overtakes: a gate that needs much is not kept waiting by small ones behind
 * it. One that needs more than the host has runs when nothing else does.
 */
export function beginNow(
  waiting: readonly WaitingGate[],
  running: readonly WaitingGate[],
  host: Resources,
): readonly WaitingGate[] {
  const begin: WaitingGate[] = [];
  for (const gate of waiting) {
    const together = [...running, ...begin];
    if (together.some(({ stage }) => stage !== gate.stage)) break;
    if (together.length > 0 && !fits([...together, gate], host)) break;
    begin.push(gate);
  }
  return begin;
}

function fits(gates: readonly WaitingGate[], host: Resources): boolean {
  return kinds.every(
    (kind) => gates.reduce((sum, { needs }) => sum + needs[kind], 0) <= host[kind],
  );
}
