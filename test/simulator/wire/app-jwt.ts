/** The JWT an App proves itself with. */
import { createSign } from "node:crypto";

export function jwtOf(appId: number, privateKey: string): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: now - 30, exp: now + 300, iss: String(appId) })}`;
  const signature = createSign("RSA-SHA256").update(signed).sign(privateKey, "base64url");
  return `${signed}.${signature}`;
}
