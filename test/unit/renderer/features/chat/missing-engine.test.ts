import { createInstance } from "i18next";
import { expect, it } from "vitest";
import { en } from "../../../../../renderer/i18n/en.ts";
import { zh } from "../../../../../renderer/i18n/zh.ts";
import { commandToAddEngine, missingEngine } from "../../../../../server/contract/model/missing-engine.ts";

const command = "npm install @node-llama-cpp/linux-x64@3.21.1";

it("reads the command that adds the engine from the error of a chat, and none from other errors", () => {
  expect(commandToAddEngine(`the engine cannot start: ${missingEngine(command)}`)).toBe(command);
  expect(commandToAddEngine("the engine cannot start: no memory")).toBeUndefined();
});

it("says in English and in Chinese what to install", async () => {
  for (const [lng, texts] of Object.entries({ en, zh })) {
    const i18n = createInstance();
    await i18n.init({ lng, resources: { [lng]: { translation: texts } } });
    expect(i18n.t("chat.engineMissing", { command })).toContain(command);
  }
});
