/** A small part of `npm run test:instances`: each kind of disturbance once. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { isCi } from "../../build/is-ci.ts";
import { runScript } from "../support/process/run-command.ts";
import { hasPostgres } from "../support/store/postgres-server.ts";
import { hasNginx } from "./suite/nginx.ts";

const script = join(import.meta.dirname, "../../build/instances.ts");
const minutes = 60_000;

// Where everything has to run, their absence is a failure.
it.runIf((hasPostgres && hasNginx) || isCi)(
  "three instances behind nginx lose and double nothing acknowledged while they are killed, and nobody notices a rolled one",
  async () => {
    const { code, stdout, stderr } = await runScript(script, ["--seconds", "1", "--seed", "1", "--calm"]);
    const output = stdout + stderr;
    expect(code, output).toBe(0);
    expect(output).toMatch(/^0 lost, 0 doubled, 0 wrong; seed 1$/m);
    for (const what of ["articles", "uploads", "orders", "draws", "sessions"])
      expect(output).toMatch(new RegExp(`[1-9]\\d* ${what}`));
    for (const name of ["kill -9: two whole instances", "rolled: left out, SIGTERM, started"])
      expect(output).toContain(`| ${name} | 1 |`);
  },
  15 * minutes,
);
