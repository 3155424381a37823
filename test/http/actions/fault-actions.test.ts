import { afterAll, beforeAll, expect, it } from "vitest";
import { startActionScene, type ActionScene } from "../../support/action-scene.ts";

let scene: ActionScene;
beforeAll(async () => (scene = await startActionScene()));
afterAll(() => scene[Symbol.asyncDispose]());

it("arms faults of the platform and of the application server, lists and disarms them by their keys", async () => {
  await scene.json(
    "fault",
    "arm",
    "err_code",
    "--param",
    "code=SYSTEMERROR",
    "--calls",
    "unifiedorder",
    "--times",
    "1",
  );
  await scene.json("fault", "arm", "--path", "/api/articles", "--status", "503", "--delay", "1ms");
  const listed = (await scene.hearth("fault")).stdout;
  expect(listed).toMatch(/^sim-\d+ +err_code +0 hits +calls=\["unifiedorder"\] when=before code=SYSTEMERROR times=1$/m);
  expect(listed).toMatch(/^route-\d+ +route +0 hits +path=\/api\/articles delay_ms=1 status=503$/m);
  expect((await scene.hearth("order", "--amount", "5")).code).toBe(1);
  expect((await fetch(`${scene.app.url}/api/articles`)).status).toBe(503);
  const faults = (await scene.json("fault", "list")) as { key: string; hits: number; spent: boolean }[];
  expect(faults).toMatchObject([
    { hits: 1, spent: true },
    { hits: 1, spent: false },
  ]);
  for (const { key } of faults) expect(await scene.json("fault", "disarm", key)).toEqual([key]);
  expect(await scene.json("fault")).toEqual([]);
});

it("limits a fault to an order", async () => {
  const { out_trade_no, mch_id } = (await scene.json("order", "--amount", "5")) as Record<string, unknown>;
  expect(await scene.json("fault", "arm", "notification_lost", "--order", "last")).toMatchObject({
    settings: { scope: { out_trade_no, mch_id } },
  });
});

it.each([
  ["arm rain", /^KIND: "rain" is not valid \(one of notification_signature, /],
  ["arm err_code", /^params\.code: one of SYSTEMERROR, /],
  ["arm err_code --param code", /^--param code: write it as NAME=VALUE$/],
  [
    "arm err_code --param code=SYSTEMERROR --status 503",
    /^--path, --method, --status, .+ are for faults without KIND\.$/,
  ],
  ["arm", /^status: set delay_ms, status or abort/],
  ["arm --status 503 --calls refund", /^--param, --calls and --order need a KIND\.$/],
  ["disarm", /^Give the key of a fault, or --all/],
  ["disarm 7", /^7 is not the key of a fault, such as sim-2/],
])("hearth fault %s ends with 2 and names the flag or argument", async (line, problem) => {
  expect(await scene.hearth("fault", ...line.split(" "))).toEqual({
    code: 2,
    stdout: "",
    problem: expect.stringMatching(problem),
  });
});

it("ends with 1 for a fault that does not exist", async () => {
  expect(await scene.hearth("fault", "disarm", "sim-99")).toMatchObject({
    code: 1,
    problem: expect.stringContaining("99 does not exist"),
  });
});
