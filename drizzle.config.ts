import { defineConfig } from "drizzle-kit";

/** Used by `drizzle-kit generate` only: `db/migrate.ts` applies what it writes. */
export default defineConfig({
  dialect: "postgresql",
  schema: "./db/schema.ts",
  out: "./db/migrations",
});
