/** The server's log: JSON lines, with whatever could hold a secret taken out (case E11). */
import { pino, stdSerializers, type DestinationStream, type Logger } from "pino";
import { redact, type Secret } from "../config/secret.js";

export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

const HIDDEN = [
  "authorization",
  "headers.authorization",
  "*.headers.authorization",
  "token",
  "secret",
  "password",
  "*.token",
  "*.secret",
  "*.password",
];

/**
 * `secrets` are those the process knows for certain, such as the password in the database's URL; they are taken out of
 * the text of errors too.
 */
export function createLog(options: {
  readonly level: string;
  readonly destination: DestinationStream;
  readonly secrets: readonly Secret[];
}): Logger {
  const { level, destination, secrets } = options;
  const clean: DestinationStream = { write: (line) => destination.write(redact(line, secrets)) };
  return pino(
    {
      level,
      base: { program: "server" },
      redact: { paths: HIDDEN, censor: "[secret]" },
      serializers: { err: stdSerializers.errWithCause },
    },
    clean,
  );
}
