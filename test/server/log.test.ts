import { describe, expect, it } from "vitest";
import { Secret } from "../../src/config/secret.js";
import { createLog } from "../../src/server/log.js";

describe("the server's log", () => {
  function logged(write: (log: ReturnType<typeof createLog>) => void): string {
    const lines: string[] = [];
    const destination = { write: (line: string) => lines.push(line) };
    write(createLog({ level: "info", destination, secrets: [new Secret("p@ss word")] }));
    return lines.join("");
  }

  it.each([
    ["an error's message", { err: new Error("cannot reach postgresql://me:p@ss word@db") }],
    ["an error's cause", { err: new Error("outer", { cause: new Error("p@ss word") }) }],
    ["a percent-encoded address", { url: "postgresql://me:p%40ss%20word@db" }],
  ])("case E11 a secret the process knows is taken out of %s", (_what, fields) => {
    const line = logged((log) => log.error(fields, "away"));
    expect(line).toContain("[secret]");
    expect(line).not.toMatch(/p(?:@|%40)ss/);
  });

  it.each([
    ["authorization", { authorization: "Bearer unknown-value" }],
    ["headers.authorization", { headers: { authorization: "Bearer unknown-value" } }],
    ["a nested token", { api: { token: "unknown-value" } }],
    ["password", { password: "unknown-value" }],
  ])("case E11 the field %s is never written, whatever it holds", (_what, fields) => {
    const line = logged((log) => log.info(fields, "asked"));
    expect(line).toContain("[secret]");
    expect(line).not.toContain("unknown-value");
  });

  it("its twin: other fields and the error's words are kept", () => {
    const line = logged((log) => log.warn({ err: new Error("refused"), project: "YOK" }, "away"));
    expect(JSON.parse(line)).toMatchObject({
      program: "server",
      project: "YOK",
      msg: "away",
      err: { message: "refused" },
    });
  });
});
