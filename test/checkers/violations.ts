/** One error for everything that is not as it should be. */
export interface Broken {
  readonly name: string;
  readonly seen: readonly string[];
}

export function broken(rules: readonly Broken[]): Error {
  const lines = rules.flatMap(({ name, seen }) => [
    `broken: ${name}`,
    ...seen.map((one) => `  ${one}`),
  ]);
  return new Error(lines.join("\n"));
}
