/** A small part of `npm run faults`: each kind of fault once. How long it takes until all answer is not judged here. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { runScript } from "../support/process/run-command.ts";

const script = join(import.meta.dirname, "../../build/faults.ts");
const minutes = 60_000;

it(
  "no acknowledged change is lost or doubled by any kind of fault, and no process or file is left behind",
  async () => {
    const { code, stdout, stderr } = await runScript(script, ["--rounds", "1", "--seed", "1", "--calm"]);
    const output = stdout + stderr;
    expect(code, output).toBe(0);
    const rows = [...output.matchAll(/^\| (\S.*?) \| 1 \| 0 \| 0 \| 0 \| [\d.]+ \|$/gm)].map(([, name]) => name);
    expect(rows, output).toEqual(expect.arrayContaining(["kill -9: app", "kill -9: supervisor", "connections: cut"]));
  },
  15 * minutes,
);
