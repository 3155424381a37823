import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusal, startModelService, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";
import { startScriptedUpstream, upstreamsOf } from "../../support/model/scripted-upstream.ts";

const user = [{ role: "user", content: "hi" }];

describe("a Modelfile whose FROM is a model at an upstream", () => {
  let upstream: Awaited<ReturnType<typeof startScriptedUpstream>>;
  let service: ModelService;
  beforeAll(async () => {
    upstream = await startScriptedUpstream(["m:latest"]);
    service = await startModelService(createScriptedEngine(), { upstreams: upstreamsOf([]) });
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  });
  const create = (body: object) => service.post("/api/create", { stream: false, ...body });
  const chat = (model: string) => service.post("/api/chat", { model, messages: user, stream: false });

  it("makes a model that runs there, with the system message and parameters of the file", async () => {
    const modelfile = `FROM ${upstream.url}/#m\nSYSTEM Be brief.\nPARAMETER temperature 0.5\nMESSAGE user Q\nMESSAGE assistant A`;
    expect(await (await create({ model: "mine", modelfile })).json()).toEqual({ status: "success" });
    expect(((await (await chat("mine")).json()) as Wire).message.content).toBe("Hello");
    expect(upstream.asked.at(-1)).toMatchObject({
      path: "/api/chat",
      body: {
        model: "m",
        options: { temperature: 0.5 },
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Q" },
          { role: "assistant", content: "A" },
          { role: "user", content: "hi" },
        ],
      },
    });
    const shown = (await (await service.post("/api/show", { model: "mine" })).json()) as Wire;
    expect(shown).toMatchObject({ remote_host: upstream.url, remote_model: "m", system: "Be brief." });
    expect(shown.modelfile).toContain(`FROM ${upstream.url}#m\n`);
  });

  it("is written as Ollama's API has it, too, and can be the base of another, which is copied and deleted", async () => {
    expect((await create({ model: "by-host", from: "m", remote_host: upstream.url })).status).toBe(200);
    expect((await create({ model: "child", from: "by-host", system: "Hm." })).status).toBe(200);
    expect((await service.post("/api/copy", { source: "child", destination: "copy" })).status).toBe(200);
    expect((await chat("copy")).status).toBe(200);
    expect(upstream.asked.at(-1)?.body.messages[0]).toEqual({ role: "system", content: "Hm." });
    expect((await service.post("/api/delete", { model: "copy" }, { method: "DELETE" })).status).toBe(200);
    expect((await chat("copy")).status).toBe(404);
  });

  it("is refused where it is ambiguous, names no model, or has a template", async () => {
    expect(await refusal(await create({ model: "x", from: `${upstream.url}#` }))).toEqual([
      400,
      expect.stringContaining("names no model"),
    ]);
    for (const from of ["http://user:pw@gpu#m", "http://gpu?x=1#m", "http://#m"])
      expect(await refusal(await create({ model: "x", from })), from).toEqual([
        400,
        expect.stringContaining("use http://host:port#model"),
      ]);
    expect(await refusal(await create({ model: "x", from: `${upstream.url}#m`, template: "{{ x }}" }))).toEqual([
      400,
      expect.stringContaining("remove TEMPLATE"),
    ]);
  });

  it("is remembered as named here, so that a model that was pulled cannot send chats elsewhere", async () => {
    const file = join(service.modelsDir, "upstreams.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual([upstream.url]);
    // The same store as another Hearth sees it, which was told of no upstream.
    await using other = await startModelService(createScriptedEngine(), {
      upstreams: upstreamsOf([]),
      ollamaStore: { dir: service.modelsDir, writable: false },
    });
    const before = upstream.asked.length;
    const reply = await other.post("/api/chat", { model: "mine", messages: user, stream: false });
    expect(await refusal(reply)).toEqual([400, expect.stringContaining("which is not an upstream")]);
    expect(upstream.asked.length).toBe(before);
  });
});
