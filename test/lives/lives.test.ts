/** A small part of `npm run lives`, and the proof that it finds errors. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { plantedErrors } from "../support/lives/planted-errors.ts";
import { runScript } from "../support/process/run-command.ts";

const script = join(import.meta.dirname, "../../build/lives.ts");
const minutes = 60_000;
const lastLine = (text: string) => text.trimEnd().split("\n").at(-1) ?? "";

it(
  "no life violates an invariant, and the same seed gives the same log",
  async () => {
    const [first, second] = [
      await runScript(script, ["--count", "40", "--seed", "7"]),
      await runScript(script, ["--count", "40", "--seed", "7"]),
    ];
    expect(first.code, first.stdout + first.stderr).toBe(0);
    expect(lastLine(first.stdout)).toMatch(/^sha256: [0-9a-f]{64}$/);
    expect(lastLine(second.stdout)).toBe(lastLine(first.stdout));
  },
  5 * minutes,
);

it(
  "each planted error is found, and shrunk to at most 20 steps",
  async () => {
    const { code, stdout } = await runScript(script, ["--count", "100", "--seed", "7", "--planted", "all"]);
    expect(code).toBe(1);
    const [, ...parts] = stdout.split(/^planted: /m);
    expect(parts.map((part) => part.split("\n")[0])).toEqual(Object.keys(plantedErrors));
    for (const part of parts) {
      const [, steps] = /^(\d+) steps are enough:/m.exec(part) ?? [];
      expect(Number(steps), part).toBeLessThanOrEqual(20);
      expect(part).toContain('"--steps", JSON.stringify(steps)');
    }
  },
  5 * minutes,
);
