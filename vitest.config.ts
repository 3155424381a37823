import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { isCi } from "./build/is-ci.ts";
import { hasPostgres } from "./test/support/store/postgres-server.ts";

const cores = availableParallelism();
const everything = "test/**/*.test.ts";
const inTheWindow = "test/e2e/**/*.test.ts";
const units = "test/unit/**/*.test.ts";
const postgres = "test/postgres/**/*.test.ts";
/** Minutes of training, for `npm run test:starter-model`. */
const training = process.env["HEARTH_TEST_TRAINING"] === "1" ? [] : ["test/model/starter-model.test.ts"];
/** Go, Java, PHP and Python, whose compilers and packages only CI has to have. */
const inOtherLanguages = isCi ? [] : ["test/http/provider/backends-in-other-languages.test.ts"];
/** About a file of SQLite alone: a disk that is full is made by its page count. A server's disk is not Hearth's. */
const ofSqliteFiles = ["test/http/api/full-disk.test.ts"];
/** What of the HTTP tests runs on PostgreSQL, too: a file per feature, or all by `npm run test:postgres`. */
const onPostgres =
  process.env["HEARTH_TEST_POSTGRES"] === "all"
    ? ["test/http/**/*.test.ts"]
    : [
        "articles",
        "collections",
        "text-ids",
        "text-ids-console",
        "uploads",
        "orders",
        "event-stream",
        "login-state",
        "rest-habits",
      ].map((name) => `test/http/**/${name}.test.ts`);

export default defineConfig({
  test: {
    globalSetup: ["test/support/process/set-up-displays.ts", "test/support/process/make-run-folder.ts"],
    setupFiles: ["test/support/process/use-own-display.ts"],
    // Real processes, real windows and a real model on two busy cores: no test asserts a time, and none fails for one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 50 } },
    // The message of a failure says all of it: a log of CI shows nothing else.
    chaiConfig: { truncateThreshold: 2_000 },
    allowOnly: false,
    // Most tests wait for processes, sockets and watchers: others beside them fill the time, also on one or two cores.
    maxWorkers: Math.max(Math.min(cores + 2, 4), cores - 1),
    // Files leave nothing behind in their process, so that one after another may run in it: half of their time is its start.
    isolate: false,
    projects: [
      { extends: true, test: { name: "unit", include: [units] } },
      {
        extends: true,
        test: {
          name: "services",
          include: [everything],
          exclude: ["**/node_modules/**", units, inTheWindow, postgres, ...training, ...inOtherLanguages],
        },
      },
      { extends: true, test: { name: "window", include: [inTheWindow] } },
      // Without PostgreSQL there is nothing to run them on; where everything has to run, its absence is a failure.
      ...(hasPostgres || isCi
        ? [
            {
              extends: true as const,
              test: {
                name: "postgres",
                include: [postgres, ...onPostgres],
                exclude: ofSqliteFiles,
                globalSetup: ["test/support/store/start-postgres.ts"],
              },
            },
          ]
        : []),
    ],
  },
});
