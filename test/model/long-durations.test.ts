import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startRulesService, type ModelService } from "../support/model/model-service.ts";
import { wireDate } from "../../server/model/models/library/wire-date.ts";

let service: ModelService;
beforeAll(async () => {
  service = await startRulesService({ tiny: { rules: [{ text: "Hello" }] } });
});
afterAll(() => service[Symbol.asyncDispose]());

const keepFor = (keep: string) => service.post("/api/generate", {}, { body: `{"model":"tiny","keep_alive":${keep}}` });

describe("a keep_alive of extreme length", () => {
  it.each(["1e18", "9223372036.9", "1e400", "-1e400", '"2562047h47m"', '"-2562047h47m"'])(
    "of %s becomes the longest duration, and /api/ps still answers",
    async (keep) => {
      expect((await keepFor(keep)).status).toBe(200);
      const reply = await service.get("/api/ps");
      expect(reply.status).toBe(200);
      const { models } = (await reply.json()) as { models: { expires_at: string }[] };
      expect(models[0]?.expires_at).toMatch(/^2[23]\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    },
  );

  it("as a text that Go cannot read is 400", async () => {
    for (const text of ["2562048h", "1e400h", "1e18s", `${"9".repeat(400)}h`, "1h".repeat(1_000_000)]) {
      const reply = await keepFor(JSON.stringify(text));
      expect(reply.status).toBe(400);
      const { error } = (await reply.json()) as { error: string };
      expect(error).toMatch(/^time: (invalid duration|unknown unit)/);
      expect(error.length).toBeLessThan(300);
    }
  });
});

it("a file without a valid modification time is listed with a valid date", () => {
  for (const ms of [NaN, -1, Infinity, 1e17]) expect(wireDate(ms).toISOString()).toMatch(/^\d{4}-\d\d-\d\dT/);
});
