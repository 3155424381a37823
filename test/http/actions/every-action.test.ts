/** Each row of the table of actions, by the command line. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { actions } from "../../../server/actions/actions.ts";
import { startActionScene, type ActionScene } from "../../support/action-scene.ts";

/** A command line for each action, in an order in which all succeed. */
const lines: readonly (readonly [name: string, ...args: string[]])[] = [
  ["login", "ada"],
  ["order", "--amount", "199"],
  ["orders list"],
  ["orders show", "last"],
  ["pay", "last"],
  ["notify", "last", "--again"],
  ["refund", "last", "--amount", "99"],
  ["order", "--amount", "5", "--user", "ada", "--type", "NATIVE", "--description", "Tea"],
  ["pay", "last", "--fail", "no_funds"],
  ["close", "last"],
  ["requests", "--path", "/api/orders"],
  ["show", "last"],
  ["replay", "1"],
  ["wait", "POST /api/orders"],
  ["events", "--limit", "3"],
  ["logs"],
  ["fault arm", "err_code", "--param", "code=SYSTEMERROR", "--calls", "orderquery", "--times", "2"],
  ["fault list"],
  ["fault disarm", "--all"],
  ["clock show"],
  ["clock advance", "2h"],
  ["clock set", "2026-12-24T18:00:00Z"],
  ["clock reset"],
  ["seed", "seed.json"],
  ["snapshot save", "one"],
  ["snapshot list"],
  ["snapshot restore", "one"],
  ["snapshot remove", "one"],
  ["reset", "orders", "events"],
  ["fidelity", "--product", "bill"],
  ["check-receiver", "--hearth", "--only", "genuine"],
];

let scene: ActionScene;
beforeAll(async () => {
  scene = await startActionScene();
  writeFileSync(join(scene.app.folder, "seed.json"), '{"articles":[{"title":"Tea","content":"Green"}]}');
});
afterAll(() => scene[Symbol.asyncDispose]());

it("has a line of this test for every action", () => {
  expect(new Set(lines.map(([name]) => name))).toEqual(new Set(actions.map(({ name }) => name)));
});

it.each(lines)("hearth %s %s prints the JSON value of its schema", async (name, ...args) => {
  const action = actions.find((one) => one.name === name);
  const printed = await scene.json(...name.split(" "), ...args);
  expect(action?.output.parse(printed)).toEqual(printed);
});

it("prints lines for people where no JSON is asked for", async () => {
  for (const [name, ...args] of lines) {
    const { code, stdout, problem } = await scene.hearth(...name.split(" "), ...args);
    expect([name, code, problem]).toEqual([name, 0, ""]);
    expect(stdout).toMatch(/^[^[{]|^$/);
    expect(stdout).not.toContain("undefined");
  }
});
