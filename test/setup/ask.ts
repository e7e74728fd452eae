/** Asks for a service of this test run; the first asker has it started. */
import { inject } from "vitest";

export async function ask<T>(service: "database" | "temporal" | "bundle"): Promise<T> {
  const base = inject("servicesUrl");
  if (base === "") throw new Error("this test needs services; unset YOKE_TEST_NO_SERVICES");
  const response = await fetch(`${base}/${service}`, { headers: { connection: "close" } });
  const body = (await response.json()) as T & { readonly error?: string };
  if (!response.ok) throw new Error(`${service} did not start: ${body.error ?? "no reason"}`);
  return body;
}
