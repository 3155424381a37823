import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { lines, refusal, startModelService, textOf, type Wire } from "../../support/model/model-service.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";
import {
  delta,
  event,
  json,
  ollamaEnd,
  ollamaLine,
  quickTuning,
  quietTuning,
  startScriptedUpstream,
  upstreamsOf,
  says,
  waits,
} from "../../support/model/scripted-upstream.ts";
import { eventually } from "../../support/eventually.ts";

const user = [{ role: "user", content: "hi" }];

describe("health of upstreams", () => {
  it("tells of one that is down, rests between the checks, and takes it back once it answers", async () => {
    await using upstream = await startScriptedUpstream();
    await using service = await startModelService(createScriptedEngine(), {
      upstreams: upstreamsOf([`a=${upstream.url}?model=m`], { ...quickTuning, checkWithinMs: 2_000 }),
    });
    const state = async () => ((await (await service.get("/api/upstreams")).json()) as Wire).upstreams[0];
    await eventually(async () => expect(await state()).toMatchObject({ state: "up", models: 1 }));
    await upstream.die();
    await eventually(async () =>
      expect(await state()).toMatchObject({
        state: "down",
        reason: expect.stringMatching(
          /^upstream a \(.*\) does not answer: .* refuses the connection: nothing listens there; start it, or correct/,
        ),
      }),
    );
    // Its model stays in the list, because the setting names it, and the error says what to do.
    const refused = await service.post("/api/chat", { model: "m", messages: user });
    expect([refused.status, ((await refused.json()) as Wire).error]).toEqual([503, expect.stringMatching(/start it/)]);
    await upstream.revive();
    await eventually(async () => expect(await state()).toMatchObject({ state: "up" }));
    expect(textOf(await lines(await service.post("/api/chat", { model: "m", messages: user })))).toBe("Hello");
  });

  it("refuses models that one may have which has not told its models yet, and knows them once it has", async () => {
    await using upstream = await startScriptedUpstream();
    const asked = Promise.withResolvers<ServerResponse>();
    upstream.list = asked.resolve;
    await using service = await startModelService(createScriptedEngine(), {
      upstreams: upstreamsOf([`a=${upstream.url}?prefix=far/`], { ...quietTuning, firstCheckMs: 1 }),
    });
    const chat = (model: string) => service.post("/v1/chat/completions", { model, messages: user });
    const refused = await chat("far/m");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(await refused.text()).toContain("upstream a (");
    expect((await chat("near")).status).toBe(404);
    json(await asked.promise, 200, { models: [{ name: "m", size: 7, digest: "a".repeat(64) }] });
    await eventually(async () => expect((await chat("far/m")).status).toBe(200));
    expect((await chat("far/other")).status).toBe(404);
  });

  it("says what to do about one that is down since the start", async () => {
    await using upstream = await startScriptedUpstream();
    await upstream.die();
    await using service = await startModelService(createScriptedEngine(), {
      upstreams: upstreamsOf([`a=${upstream.url}`]),
    });
    const [status, error] = await refusal(await service.post("/api/chat", { model: "m", messages: user }));
    expect([status, error]).toEqual([503, expect.stringMatching(/^model 'm:latest' .*upstream a .*start it/)]);
  });

  it("lets answers go on that come from one which refuses to be checked, as at the limit of a key", async () => {
    await using upstream = await startScriptedUpstream();
    await using service = await startModelService(createScriptedEngine(), {
      upstreams: upstreamsOf([`a=${upstream.url}?model=m`], { ...quickTuning, checkWithinMs: 2_000 }),
    });
    const state = async () => ((await (await service.get("/api/upstreams")).json()) as Wire).upstreams[0];
    await eventually(async () => expect(await state()).toMatchObject({ state: "up" }));
    const end = Promise.withResolvers<void>();
    upstream.answer = async (res) => {
      res.write(ollamaLine("Hel"));
      await end.promise;
      res.end(ollamaLine("lo") + ollamaEnd);
    };
    const answer = service.post("/api/chat", { model: "m", messages: user });
    await eventually(() => expect(upstream.asked).toHaveLength(1));
    upstream.list = (res) => json(res, 429, { error: "too many requests" });
    const { lists } = upstream;
    await eventually(() => expect(upstream.lists).toBeGreaterThan(lists + 10));
    end.resolve();
    expect(textOf(await lines(await answer))).toBe("Hello");
  });

  it.each([
    ["Ollama's", "", ollamaLine, ollamaEnd],
    ["OpenAI's", "/v1", (content: string) => delta({ content }), delta({}, "stop") + event("[DONE]")],
  ] as const)(
    "lets answers go on that come from one with %s API which answers no check meanwhile, as it does one thing at a time",
    async (_whose, path, piece, rest) => {
      await using upstream = await startScriptedUpstream();
      await using service = await startModelService(createScriptedEngine(), {
        upstreams: upstreamsOf([`a=${upstream.url}${path}?model=m`], { ...quickTuning, mostFailures: 2 }),
      });
      const state = async () => ((await (await service.get("/api/upstreams")).json()) as Wire).upstreams[0];
      await eventually(async () => expect(await state()).toMatchObject({ state: "up" }));
      const checks = 6;
      upstream.answer = (res) => {
        const before = upstream.lists;
        // A piece comes within each check that fails.
        upstream.list = () => {
          res.write(piece("."));
          if (upstream.lists < before + checks) return;
          upstream.list = waits;
          res.end(rest);
        };
      };
      const all = await lines(await service.post("/api/chat", { model: "m", messages: user }));
      expect(all.at(-1)).toMatchObject({ done: true });
      expect(textOf(all)).toBe(".".repeat(checks));
    },
  );

  it("lists its models whatever dates it gives, and those of others", async () => {
    const dates = ["", "soon", "+292277026596-12-04T15:30:07Z", "0001-01-01T00:00:00Z", "2026-11-27T08:00:00Z"];
    await using upstream = await startScriptedUpstream();
    upstream.list = (res, { path }) =>
      path === "/v1/models"
        ? json(res, 200, {
            data: [-1, 0, 1764236400, 1764236400000, 1e18].map((created, at) => ({ id: `n${String(at)}`, created })),
          })
        : json(res, 200, {
            models: dates.map((modified_at, at) => ({ name: `m${String(at)}`, modified_at, capabilities: [] })),
          });
    upstream.running = dates.map((expires_at, at) => ({ name: `m${String(at)}`, expires_at }));
    const upstreams = upstreamsOf([`a=${upstream.url}`, `b=${upstream.url}/v1`]);
    await using service = await startModelService(createScriptedEngine(), { upstreams });
    const namesAt = async (path: string, headers = {}) => {
      const text = await (await service.get(path, { headers })).text();
      expect(text).not.toMatch(/"[+-]\d{6}-/); // no year of RFC 3339
      const { models = [], data = [] }: Wire = JSON.parse(text);
      return [...models, ...data].map(({ name, id }: Wire) => String(name ?? id).replace(/:latest$/, "")).sort();
    };
    const all = ["hearth-starter", "m0", "m1", "m2", "m3", "m4", "n0", "n1", "n2", "n3", "n4"];
    expect(await namesAt("/api/tags")).toEqual(all);
    expect(await namesAt("/v1/models")).toEqual(all);
    expect(await namesAt("/v1/models", { "anthropic-version": "2023-06-01" })).toEqual(all);
    expect(await namesAt("/api/ps")).toEqual(["m0", "m1", "m2", "m3", "m4"]);
  });

  it("lists its models with digests of 64 digits, whatever it gives for them", async () => {
    const own = "a1".repeat(32);
    const digests = ["", null, "sha256:", "abc", `${own}0`, `${own}"`, own, `sha256:${own}`, own.toUpperCase()];
    await using upstream = await startScriptedUpstream();
    const models = digests.map((digest, at) => ({ name: `m${String(at)}`, digest, capabilities: [] }));
    upstream.list = (res) => json(res, 200, { models });
    upstream.running = models;
    await using service = await startModelService(createScriptedEngine(), {
      upstreams: upstreamsOf([`a=${upstream.url}`]),
    });
    for (const path of ["/api/tags", "/api/ps"]) {
      const listed = ((await (await service.get(path)).json()) as Wire).models as Wire[];
      const given = listed.filter(({ name }) => /^m\d/.test(name)).map(({ digest }) => String(digest));
      expect(given.filter((digest) => /^[\da-f]{64}$/.test(digest))).toHaveLength(digests.length);
      expect(given.filter((digest) => digest === own)).toHaveLength(3);
      expect(new Set(given).size).toBe(7);
    }
  });

  it("asks again what a model can do where it got no answer", async () => {
    await using upstream = await startScriptedUpstream();
    upstream.list = (res, { path }) =>
      path === "/api/tags"
        ? json(res, 200, { models: [{ name: "m", size: 7, digest: "a".repeat(64) }] })
        : json(res, 404, {});
    upstream.answer = (res) => json(res, 500, { error: "starting" });
    await using service = await startModelService(createScriptedEngine(), {
      upstreams: upstreamsOf([`a=${upstream.url}`], { ...quickTuning, checkWithinMs: 2_000 }),
    });
    const abilities = async () =>
      ((await (await service.get("/api/tags")).json()) as Wire).models.find(({ name }: Wire) => name === "m:latest")
        ?.capabilities;
    await eventually(async () => expect(await abilities()).toContain("thinking"));
    upstream.answer = (res) => json(res, 200, { capabilities: ["completion"] });
    await eventually(async () => expect(await abilities()).toEqual(["completion"]));
  });

  it("gives up a request to one that hangs, and sends it to another", async () => {
    await using hanging = await startScriptedUpstream();
    await using sound = await startScriptedUpstream();
    await using service = await startModelService(createScriptedEngine(), {
      upstreams: upstreamsOf([`a=${hanging.url}`, `b=${sound.url}`], { ...quickTuning, checkWithinMs: 2_000 }),
    });
    await eventually(async () => {
      const { upstreams } = (await (await service.get("/api/upstreams")).json()) as Wire;
      expect(upstreams).toMatchObject([{ state: "up" }, { state: "up" }]);
    });
    hanging.answer = () => void (hanging.list = waits);
    sound.answer = () => void (sound.list = undefined);
    const replies = [1, 2].map(() => service.post("/api/chat", { model: "m", messages: user }));
    await eventually(() => expect([hanging.asked.length, sound.asked.length]).toEqual([1, 1]));
    sound.answer = says("Hello");
    await eventually(() => expect(sound.asked.length).toBe(2));
    const texts = await Promise.race(replies.map(async (reply) => lines(await reply)));
    expect(textOf(texts)).toBe("Hello");
  });
});
