import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "main",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.sweep.test.ts"],
          pool: "forks",
          globalSetup: ["test/setup/services.ts"],
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "faults",
          include: ["test/faults/**/*.sweep.test.ts"],
          pool: "forks",
          globalSetup: ["test/setup/services.ts"],
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: "random",
          include: ["test/random/many-seeds.ts"],
          pool: "forks",
          globalSetup: ["test/setup/services.ts"],
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: "histories",
          include: ["test/replay/record.ts"],
          pool: "forks",
          globalSetup: ["test/setup/services.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
