import { expect, it } from "vitest";
import { offeredServices } from "../../../server/app/lan-access/offered-services.ts";
import { inEnglish } from "../../../server/contract/messages/in-english.ts";
import type { ServiceState } from "../../../server/contract/process/services.ts";

const servicesWith = (state: ServiceState, providerUrl = "http://127.0.0.1:3001", modelUrl?: string) =>
  offeredServices({
    app: () => undefined,
    providerUrl,
    modelUrl: () => modelUrl,
    services: () => [{ name: "model", state, urls: {}, restarts: 0, since: "2026-01-01T00:00:00.000Z" }],
    consoleToken: "token",
    corsOrigins: [],
  });
const modelIn = (state: ServiceState) => servicesWith(state).model;

it("a model service that starts counts as one that is still to come, and not as a failed one", () => {
  expect(modelIn("starting").absence()).toBeUndefined();
  expect(modelIn("restarting").absence()).toBeUndefined();
  expect(inEnglish(modelIn("down").absence() ?? "")).toMatch("does not respond");
  expect(inEnglish(modelIn("external").absence() ?? "")).toMatch("OLLAMA_HOST");
});

it("a service whose address omits the default port of its scheme is offered at that port", () => {
  const { provider, model } = servicesWith("up", "http://127.0.0.1:80", "https://127.0.0.1:443");
  expect([provider.port(), model.port()]).toEqual([80, 443]);
});
