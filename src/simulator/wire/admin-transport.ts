/** Calls of the admin API. */

/** The admin API would not do something. */
export class AdminError extends Error {
  override readonly name = "AdminError";

  constructor(
    readonly status: number,
    /** `not_found`, `unprocessable`, `invalid_input`, … */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export class AdminTransport {
  readonly #base: string;

  /** `url`: of the simulator. */
  constructor(url: string) {
    this.#base = `${url.replace(/\/+$/, "")}/_sim`;
  }

  get<T>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}) {
    const given = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) given.set(name, String(value));
    const text = given.toString();
    return this.#call<T>("GET", text === "" ? path : `${path}?${text}`);
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.#call<T>("POST", path, body);
  }

  put<T>(path: string, body: unknown): Promise<T> {
    return this.#call<T>("PUT", path, body);
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.#call<T>("PATCH", path, body);
  }

  async delete(path: string): Promise<void> {
    await this.#call("DELETE", path);
  }

  /** @throws AdminError. */
  async #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${this.#base}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const value: unknown = await answer.json();
    if (answer.ok) return value as T;
    const { error } = value as {
      readonly error: { readonly code: string; readonly message: string };
    };
    throw new AdminError(answer.status, error.code, error.message);
  }
}
