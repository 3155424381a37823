import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  refusal,
  startModelService,
  startRulesService,
  type ModelService,
  type Wire,
} from "../../support/model/model-service.ts";

const greeting = "rules:\n  - text: Hello\n  - thinking: Hm.\n    calls: [{ name: f }]\n";

let service: ModelService;
beforeAll(async () => {
  service = await startRulesService({ plain: greeting });
});
afterAll(() => service[Symbol.asyncDispose]());

const upload = async (text: string | Uint8Array<ArrayBuffer>) => {
  const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  await fetch(`${service.url}/api/blobs/${digest}`, { method: "POST", body: text });
  return digest;
};
const create = async (model: string, text: string | Uint8Array<ArrayBuffer>, more: object = {}, file = "rules.yaml") =>
  service.post("/api/create", { model, files: { [file]: await upload(text) }, stream: false, ...more });
const chat = (model: string) =>
  service.post("/api/chat", { model, messages: [{ role: "user", content: "hi" }], stream: false });
const show = async (model: string): Promise<Wire> => (await service.post("/api/show", { model })).json();

describe("a model made from a file of rules", () => {
  it("answers by them, with system message and parameters of its Modelfile", async () => {
    const byPirate = "rules:\n  - when: { system: { equals: Be a pirate. } }\n    text: Ahoy there\n";
    expect((await create("pirate", byPirate, { system: "Be a pirate.", parameters: { stop: ["there"] } })).status).toBe(
      200,
    );
    expect(((await (await chat("pirate")).json()) as Wire).message.content).toBe("Ahoy ");
    expect((await create("json", JSON.stringify({ rules: [{ text: "from JSON" }] }), {}, "rules.json")).status).toBe(
      200,
    );
    expect(((await (await chat("json")).json()) as Wire).message.content).toBe("from JSON");
  });

  it("is read in UTF-16, as PowerShell writes it", async () => {
    expect((await create("wide", Buffer.from(`\uFEFF${greeting}`, "utf16le"))).status).toBe(200);
    expect((await chat("wide")).status).toBe(200);
  });

  it("is listed and shown as what it is, as is a file of rules in the models folder", async () => {
    expect((await create("listed", greeting)).status).toBe(200);
    const { models } = (await (await service.get("/api/tags")).json()) as Wire;
    for (const name of ["listed", "plain"]) {
      expect(models.find((one: Wire) => one.name === `${name}:latest`)).toMatchObject({
        details: { format: "rules", family: "rules", parameter_size: "" },
        capabilities: ["completion", "tools", "thinking"],
      });
      const { details, capabilities, modelfile } = await show(name);
      expect([details.format, capabilities]).toEqual(["rules", ["completion", "tools", "thinking"]]);
      const [, path = ""] = /^FROM (.*)$/m.exec(modelfile) ?? [];
      expect(readFileSync(path, "utf8")).toBe(greeting);
    }
    expect((await service.post("/api/show", { model: "listed", verbose: true })).status).toBe(200);
  });

  it("is made again by the Modelfile that show gives, whose file has no ending", async () => {
    const blob = `sha256-${createHash("sha256").update(greeting).digest("hex")}`;
    expect((await create("again", greeting, {}, blob)).status).toBe(200);
    expect(((await (await chat("again")).json()) as Wire).message.content).toBe("Hello");
  });

  it("can be copied, be the base of another, and be deleted", async () => {
    expect((await service.post("/api/copy", { source: "plain", destination: "copied" })).status).toBe(200);
    expect((await service.post("/api/create", { model: "child", from: "copied", stream: false })).status).toBe(200);
    expect(((await (await chat("child")).json()) as Wire).message.content).toBe("Hello");
    const gone = await fetch(`${service.url}/api/delete`, {
      method: "DELETE",
      body: JSON.stringify({ model: "copied" }),
    });
    expect([gone.status, (await chat("copied")).status, (await chat("child")).status]).toEqual([200, 404, 200]);
  });

  it("takes no memory, and has vectors that are near for texts with words in common", async () => {
    expect(await refusal(await service.post("/api/fit", { model: "plain" }))).toEqual([
      400,
      '"plain" answers by rules and uses no memory',
    ]);
    const input = ["The weather in Oslo", "the weather in Rome", "An unrelated sentence"];
    const { embeddings } = (await (await service.post("/api/embed", { model: "plain", input })).json()) as Wire;
    const near = (other: number) =>
      embeddings[0].reduce((sum: number, x: number, at: number) => sum + x * embeddings[other][at], 0);
    expect(embeddings[0]).toHaveLength(64);
    expect(near(1)).toBeGreaterThan(near(2) + 0.3);
  });

  it("takes no place of a model with weights", async () => {
    await using one = await startModelService(createScriptedEngine(), {
      files: { "a.gguf": {} },
      rules: { m: greeting, n: greeting },
      scheduling: { maxLoaded: 1 },
    });
    for (const model of ["m", "a", "n"]) await (await one.post("/api/generate", { model, prompt: "hi" })).text();
    const { models } = (await (await one.get("/api/ps")).json()) as Wire;
    expect(models.map(({ name }: Wire) => name).sort()).toEqual(["a:latest", "m:latest", "n:latest"]);
  });

  it("counts tokens, and turns them back into text", async () => {
    const { tokens } = (await (
      await service.post("/api/tokenize", { model: "plain", content: "Hello, 世界!" })
    ).json()) as Wire;
    const { text } = (await (await service.post("/api/detokenize", { model: "plain", tokens })).json()) as Wire;
    expect([tokens.length, text]).toEqual([6, "Hello, 世界!"]);
    expect((await service.post("/api/detokenize", { model: "plain", tokens: [7] })).status).toBe(400);
  });

  it("is refused with the line that is wrong", async () => {
    const reason = async (text: string) => (await refusal(await create("bad", text)))[1];
    expect(await reason("rules:\n  - text: a\n  - when:\n      user: { contain: x }\n    text: b\n")).toBe(
      'rules.yaml has no valid rules: line 4, rules[1].when.user: Unrecognized key: "contain"',
    );
    expect(await reason("rules:\n  - when: { user: { matches: '(' } }\n    text: b\n")).toBe(
      "rules.yaml has no valid rules: line 2, rules[0].when.user.matches: Invalid regular expression: /(/: Unterminated group",
    );
    expect(await reason("rules:\n  - fault: { kind: explode }\n")).toBe(
      "rules.yaml has no valid rules: line 2, rules[0].fault.kind: must have a kind: error, cut, broken_call or endless_thought",
    );
    expect(await reason("rules: [}")).toMatch(/^rules\.yaml has no valid rules: line 1: /);
    expect(await refusal(await create("bad", greeting, { template: "{{ x }}" }))).toEqual([
      400,
      "a model that answers by rules has no template: remove TEMPLATE",
    ]);
  });

  it("follows a file of the models folder that changes, and leaves out one that is wrong", async () => {
    const file = join(service.modelsDir, "changing.rules.yaml");
    writeFileSync(file, "rules: [{ text: first }]");
    expect(((await (await chat("changing")).json()) as Wire).message.content).toBe("first");
    writeFileSync(file, "rules: [{ text: the second one }]");
    expect(((await (await chat("changing")).json()) as Wire).message.content).toBe("the second one");
    writeFileSync(file, "rules: none");
    const wrong = await chat("changing");
    expect([wrong.status, ((await wrong.json()) as { error: string }).error]).toEqual([
      400,
      expect.stringMatching(/line 1, rules: /),
    ]);
  });
});
