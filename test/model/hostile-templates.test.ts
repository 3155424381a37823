/** Templates that strangers wrote, to take the service's time or memory. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { templateLimits } from "../support/model/chat-templates.ts";
import {
  lines,
  refusal,
  startModelService,
  textOf,
  type ModelService,
  type Wire,
} from "../support/model/model-service.ts";
import { createScriptedEngine, gate } from "../support/model/scripted-engine.ts";

const nestedLoops = "{% for i in range(30000) %}{% for j in range(30000) %}{% endfor %}{% endfor %}";
const doubling = (times: number, rest: string) =>
  `{% set ns = namespace(s='ab') %}{% for i in range(${String(times)}) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}${rest}`;

const engine = createScriptedEngine();
let service: ModelService;
/** Waits for templates however slow the machine is. */
let patient: ModelService;
beforeAll(async () => {
  const limits = { ...templateLimits, deadlineMs: 60_000 };
  patient = await startModelService(engine, { files: { "tiny.gguf": {} }, templateLimits: limits });
  service = await startModelService(engine, {
    files: { "tiny.gguf": {}, "looping.gguf": { chatTemplate: `${nestedLoops}{{ messages }}` } },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await patient[Symbol.asyncDispose]();
});

const messages = [{ role: "user", content: "hi" }];

async function expectRefusal(asked: ModelService, template: string, why: RegExp): Promise<void> {
  const reply = await asked.post("/api/generate", { model: "tiny", prompt: "hi", template, stream: false });
  const [status, error] = await refusal(reply);
  expect([status, error]).toEqual([400, expect.stringMatching(/^template error: the chat template of "tiny"/)]);
  expect(error).toMatch(why);
  const next = await asked.post("/api/chat", { model: "tiny", messages, stream: false });
  expect(next.status).toBe(200);
}

describe("a template of /api/generate", () => {
  it.each([
    ["loops without end", nestedLoops, /longer than 250 ms: make its loops shorter/],
    ["joins what it counted", `{{ range(100000) | join("${"x".repeat(1000)}") }}`, /longer than|characters|length/],
    [
      "replaces each character",
      doubling(20, "{{ ns.s.replace('a', ns.s) | length }}"),
      /longer than|characters|length/,
    ],
    ["loops of Go without end", "{{ range 1000000000 }}{{ range 1000000000 }}{{ end }}{{ end }}", /longer than 250 ms/],
    [
      "calls itself twice in Go",
      `{{ define "a" }}{{ template "a" . }}{{ template "a" . }}{{ end }}{{ template "a" 1 }}`,
      /nested too deep|longer/,
    ],
    [
      "has deep blocks of Go",
      `${"{{ if 1 }}".repeat(20_000)}${"{{ end }}".repeat(20_000)}`,
      /nested too deep|longer than/,
    ],
    ["has deep blocks", `${"{% if 1 %}".repeat(20_000)}${"{% endif %}".repeat(20_000)}`, /nested too deep|longer than/],
    [
      "shows what it shares",
      "{% set ns = namespace(s=['ab']) %}{% for i in range(40) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ ns.s | tojson }}",
      /longer than|characters/,
    ],
  ])("that %s is 400 after its deadline, or before", (_what, template, why) => expectRefusal(service, template, why));

  it.each([
    ["doubles a text 28 times", doubling(28, "{{ ns.s }}"), /more than \d+ characters: make it smaller/],
    ["doubles it where nobody sees it", doubling(28, "{{ ns.s | length }}"), /more than \d+ characters/],
    [
      "doubles a list",
      "{% set ns = namespace(s=[1]) %}{% for i in range(40) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
      /items/,
    ],
    [
      "doubles a text of Go",
      `{{ $x := "ab" }}{{ range 28 }}{{ $x = print $x $x }}{{ end }}{{ len $x }}`,
      /more than \d+ characters/,
    ],
    ["writes much in Go", "{{ range 100000000 }}0123456789{{ end }}", /more than \d+ characters/],
    [
      "doubles a text of Go by templates",
      `{{ define "a" }}{{ $x := print . . }}{{ template "a" $x }}{{ end }}{{ template "a" "ab" }}`,
      /more than \d+ characters/,
    ],
    ["writes far in Go", `{{ range 9 }}{{ printf "%1000000d" 1 }}{{ end }}`, /more than \d+ characters/],
    ["is nested deep in Go", `{{ if ${"(".repeat(20_000)}1${")".repeat(20_000)} }}{{ end }}`, /nested too deep/],
    ["counts far", "{% for i in range(1000000000) %}{% endfor %}", /more than \d+ items/],
    ["counts far down", "{{ range(0, -1000000000, -1) | length }}", /more than \d+ items/],
    ["indents far", "{{ 'a' | indent(500000000, true) }}", /more than \d+ characters/],
    ["is nested deep", `{{ ${"(".repeat(20_000)}1${")".repeat(20_000)} }}`, /nested too deep/],
    ["holds a huge text", `{{ "${"x".repeat(30_000_000)}" }}`, /more than 1048576 characters/],
  ])("that %s is 400 however slow the machine is", (_what, template, why) => expectRefusal(patient, template, why));

  it("may render a long prompt of a long input", async () => {
    const prompt = "word ".repeat(2_000_000);
    const template = "{{ messages[0].content }}{{ messages[0].content[:10] }}";
    const reply = await patient.post("/api/generate", { model: "tiny", prompt, template, stream: false });
    expect(reply.status).toBe(200);
    expect(engine.requests.at(-1)?.prompt).toHaveLength(prompt.length + 10);
  });
});

describe("a model with a hostile template", () => {
  it("is listed and shown without capabilities, and cannot chat", async () => {
    const { models } = (await (await service.get("/api/tags")).json()) as { models: Wire[] };
    expect(models.find(({ name }) => name === "looping:latest").capabilities).toEqual(["completion"]);
    const shown = (await (await service.post("/api/show", { model: "looping" })).json()) as Wire;
    expect(shown.capabilities).toEqual(["completion"]);
    const [status, error] = await refusal(await service.post("/api/chat", { model: "looping", messages }));
    expect([status, error]).toEqual([400, expect.stringContaining('the chat template of "looping"')]);
  });

  it("is not created from an invalid template", async () => {
    for (const template of [`{{ ${"[".repeat(50_000)} }}`, "{{ x }}".repeat(400_000)]) {
      const reply = await service.post("/api/create", { model: "deep", from: "tiny", template, stream: false });
      expect(await refusal(reply)).toEqual([400, expect.stringMatching(/^template error: /)]);
    }
  });
});

it("the streams of others go on while a template works", async () => {
  const { opened, open } = gate();
  engine.steps = ["Hel", { until: opened }, "lo"];
  const stream = await patient.post("/api/chat", { model: "tiny", messages });
  let isHostileAnswered = false;
  const leaving = new AbortController();
  const hostile = { model: "tiny", prompt: "hi", template: `${nestedLoops}.` };
  const asked = patient.post("/api/generate", hostile, { signal: leaving.signal }).then(
    () => (isHostileAnswered = true),
    () => undefined,
  );
  // By the time that these are answered the template is being worked on.
  for (let count = 0; count < 50; count++) expect((await patient.get("/api/version")).status).toBe(200);
  open();
  expect(textOf(await lines(stream))).toBe("Hello");
  expect(isHostileAnswered).toBe(false);
  leaving.abort();
  await asked;
});
