/** Clients that send each field of a form: what is empty leaves what the base has. */
import { expect, it } from "vitest";
import { lines, type Wire } from "../../support/model/model-service.ts";
import { startPullScene } from "../../support/model/pull-scene.ts";

it("what is empty or null in a create request leaves that of its base, as with Ollama", async () => {
  await using scene = await startPullScene({ files: { "plain.gguf": { name: "Base" } } });
  const create = async (body: object) => (await lines(await scene.service.post("/api/create", body))).at(-1);
  const show = async (model: string): Promise<Wire> => (await scene.service.post("/api/show", { model })).json();
  const base = {
    template: "{% for message in messages %}{{ message.content }}{% endfor %}",
    system: "Be brief.",
    parameters: { temperature: 0.5, stop: ["<end>"] },
    messages: [{ role: "user", content: "hi" }],
  };
  expect(await create({ model: "base", from: "plain", ...base })).toEqual({ status: "success" });
  const empty = { template: "", system: "", messages: [], parameters: { temperature: null, stop: null } };
  expect(await create({ model: "same", from: "base", ...empty })).toEqual({ status: "success" });
  const [{ template, system, parameters, messages }, before] = [await show("same"), await show("base")];
  expect({ template, system, parameters, messages }).toEqual({
    template: base.template,
    system: base.system,
    parameters: before.parameters,
    messages: base.messages,
  });
  expect(parameters).toContain("0.5");
});
