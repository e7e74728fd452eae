/** Seconds between two ISO 8601 times, both by GitHub's clock; negative when `to` is earlier. */
export function secondsBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 1000;
}

/** Whether `a` is later than `b`. */
export function isAfter(a: string, b: string): boolean {
  return Date.parse(a) > Date.parse(b);
}

/**
 * Whether something had happened before a reading for certain. GitHub gives its events whole seconds: one of the second
 * in which the reading was made may have come after it.
 */
export function surelyBefore(event: string, reading: string): boolean {
  return Date.parse(event) + 1000 <= Date.parse(reading);
}

/** The later of two times. */
export function later(a: string, b: string): string {
  return isAfter(b, a) ? b : a;
}
