/** What a bench answers: counts, or ratios of two sides of one run; absolute times of a machine are only context. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

export function figure(name: string, value: number, unit: string): Figure {
  return { name, value: Math.round(value * 100) / 100, unit };
}

/** The value that `share` (0 to 1) of the samples do not exceed: the nearest rank. */
export function percentile(samples: readonly number[], share: number): number {
  if (samples.length === 0) throw new Error("there are no samples");
  const sorted = samples.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] as number;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}
