/** A small part of `npm run test:instances`: each kind of disturbance once. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isCi } from "../../build/is-ci.ts";
import { plainEnvironment } from "../support/process/launch.ts";
import { hasPostgres } from "../support/store/postgres-server.ts";
import { hasNginx } from "./suite/nginx.ts";

const script = join(import.meta.dirname, "../../build/instances.ts");
const minutes = 60_000;

// Where everything has to run, their absence is a failure.
it.runIf((hasPostgres && hasNginx) || isCi)(
  "three instances behind nginx lose and double nothing acknowledged while they are killed, and nobody notices a rolled one",
  async () => {
    const args = [script, "--seconds", "1", "--seed", "1"];
    const suite = spawn(process.execPath, args, { env: plainEnvironment(), stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [suite.stdout, suite.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const [code] = (await once(suite, "close")) as [number];
    expect(code, output).toBe(0);
    expect(output).toMatch(/^0 lost, 0 doubled, 0 wrong; seed 1$/m);
    for (const what of ["articles", "uploads", "orders", "draws", "sessions"])
      expect(output).toMatch(new RegExp(`[1-9]\\d* ${what}`));
    for (const name of ["kill -9: two whole instances", "rolled: left out, SIGTERM, started"])
      expect(output).toContain(`| ${name} | 1 |`);
  },
  15 * minutes,
);
