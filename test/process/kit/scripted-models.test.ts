/** Scripted models of `startHearth` and `hearth exec`, as they were built. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type * as Kit from "../../../server/kit/start-hearth.ts";
import { descendants } from "../../support/process/processes.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thirdParty } from "../../support/third-party.ts";

const built = pathToFileURL(join(import.meta.dirname, "../../../dist/kit.js")).href;
const { startHearth } = (await import(built)) as typeof Kit;

const weather: Kit.ModelRules = {
  rules: [
    { when: { user: { contains: "weather" } }, fault: { kind: "error", status: 429, retry_after: 0 }, times: 1 },
    { when: { tool_result: true }, text: "It is sunny in Oslo." },
    { when: { user: { contains: "weather" } }, calls: [{ name: "weather", arguments: { city: "Oslo" } }] },
    { text: "Ask me about the weather." },
  ],
};

describe("models in startHearth", () => {
  it("answer by their rules to an unmodified client, and begin anew after a reset", async () => {
    await using hearth = await startHearth({ models: { "gpt-5:mini": weather } });
    const { default: OpenAI } = await thirdParty("openai");
    const openai = new OpenAI({ baseURL: `${String(hearth.urls.model)}/v1`, apiKey: "unused" });
    const ask = (content: string, options: object = {}) =>
      openai.chat.completions.create(
        {
          model: "gpt-5:mini",
          messages: [{ role: "user", content }],
          tools: [{ type: "function", function: { name: "weather", parameters: { type: "object", properties: {} } } }],
        },
        options,
      );
    expect((await ask("hi")).choices[0].message.content).toBe("Ask me about the weather.");
    const called = async () => (await ask("the weather?")).choices[0].message.tool_calls[0].function;
    expect(await called()).toMatchObject({ name: "weather", arguments: '{"city":"Oslo"}' });
    expect(await called()).toMatchObject({ name: "weather" });
    await hearth.reset();
    await expect(ask("the weather?", { maxRetries: 0 })).rejects.toMatchObject({ status: 429 });
  });

  it("run no engine, may be a file, and are refused by the place that is wrong", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "pirate.yaml");
    writeFileSync(file, "rules:\n  - text: Ahoy\n");
    await using hearth = await startHearth({ models: { pirate: file } });
    const body = JSON.stringify({ model: "pirate", prompt: "hi", stream: false });
    const reply = await fetch(`${String(hearth.urls.model)}/api/generate`, { method: "POST", body });
    expect(await reply.json()).toMatchObject({ response: "Ahoy" });
    if (process.platform === "linux") {
      const commands = descendants(process.pid).map((pid) => readFileSync(`/proc/${String(pid)}/cmdline`, "utf8"));
      expect(commands.some((command) => command.includes("model.js"))).toBe(true);
      expect(commands.filter((command) => command.includes("runner.js"))).toEqual([]);
    }
    writeFileSync(file, "rules:\n  - text: Ahoy\n    tezt: x\n");
    await expect(startHearth({ models: { pirate: file } })).rejects.toThrow(
      'the model "pirate": pirate.yaml has no valid rules: line 2, rules[0]: Unrecognized key: "tezt"',
    );
    await expect(startHearth({ models: {}, model: false })).rejects.toThrow("scripted models need the model service");
  });
});

describe("hearth exec --model NAME=FILE", () => {
  const client = `
    const body = JSON.stringify({ model: "pirate", messages: [{ role: "user", content: "hi" }], stream: false });
    const reply = await fetch(process.env.HEARTH_MODEL_URL + "/api/chat", { method: "POST", body });
    console.log((await reply.json()).message.content);`;

  it("serves the model to the command", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "pirate.yaml");
    // As PowerShell writes it.
    writeFileSync(file, "\uFEFFrules:\n  - text: Ahoy\n", "utf16le");
    const run = (model: string) =>
      runCommand(["exec", "--model", model, "--", process.execPath, "--input-type=module", "-e", client]);
    expect(await run(`pirate=${file}`)).toMatchObject({ code: 0, stdout: "Ahoy\n" });
    expect(await run("pirate")).toMatchObject({ code: 2, stderr: expect.stringContaining("NAME=FILE is required") });
    expect(await run("pirate=no.yaml")).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be read") });
    writeFileSync(file, "rules: 7");
    expect(await run(`pirate=${file}`)).toMatchObject({ code: 1, stderr: expect.stringContaining("line 1, rules") });
  });
});
