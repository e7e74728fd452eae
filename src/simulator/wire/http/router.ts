/** Finds the route of a method and a path. */

export interface Route {
  readonly method: string;
  /**
   * As in GitHub's OpenAPI description: `/repos/{owner}/{repo}`. A parameter written `{ref+}` takes
   * the rest of the path or up to what follows, slashes included.
   */
  readonly path: string;
}

export interface Match<R extends Route> {
  readonly route: R;
  /** Decoded values of the parameters. */
  readonly params: Readonly<Record<string, string>>;
}

interface Compiled<R extends Route> {
  readonly route: R;
  readonly pattern: RegExp;
}

export class Router<R extends Route> {
  readonly #byMethod = new Map<string, Compiled<R>[]>();
  readonly routes: readonly R[];

  /** Earlier routes win over later ones. */
  constructor(routes: readonly R[]) {
    this.routes = routes;
    for (const route of routes) {
      const known = this.#byMethod.get(route.method) ?? [];
      this.#byMethod.set(route.method, known);
      known.push({ route, pattern: compile(route.path) });
    }
  }

  match(method: string, path: string): Match<R> | null {
    const asked = method === "HEAD" ? "GET" : method;
    for (const { route, pattern } of this.#byMethod.get(asked) ?? []) {
      const found = pattern.exec(path);
      if (found === null) continue;
      try {
        const params = Object.fromEntries(
          Object.entries(found.groups ?? {}).map(([name, value]) => [
            name,
            decodeURIComponent(value),
          ]),
        );
        return { route, params };
      } catch {
        // A path that cannot be decoded is no path of ours.
        return null;
      }
    }
    return null;
  }
}

/** The name of a route: method and path as in the public description. */
export function routeName({ method, path }: Route): string {
  return `${method} ${path.replaceAll("+}", "}")}`;
}

function compile(path: string): RegExp {
  const source = path
    .split(/(\{\w+\+?\})/)
    .map((part) => {
      const parameter = /^\{(\w+)(\+?)\}$/.exec(part);
      if (parameter === null) return part.replaceAll(/[.*+?^$()[\]|\\]/g, "\\$&");
      return `(?<${parameter[1] ?? ""}>${parameter[2] === "+" ? ".+" : "[^/]+"})`;
    })
    .join("");
  return new RegExp(`^${source}/?$`);
}
