/** Seconds between two ISO 8601 times, both by GitHub's clock; negative when `to` is earlier. */
export function secondsBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 1000;
}

/** Whether `a` is later than `b`. */
export function isAfter(a: string, b: string): boolean {
  return Date.parse(a) > Date.parse(b);
}

/** The later of two times. */
export function later(a: string, b: string): string {
  return isAfter(b, a) ? b : a;
}
