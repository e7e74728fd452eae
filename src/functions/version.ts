/** The release this build is. A test holds it equal to `package.json`. */
export const version = "0.1.0";

/** Negative when `a` is an older release than `b`. Only the three numbers count; what is no release is the oldest. */
export function compareReleases(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

function numbers(release: string): readonly number[] {
  const match = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})/.exec(release);
  return match === null ? [0, 0, 0] : match.slice(1, 4).map(Number);
}
