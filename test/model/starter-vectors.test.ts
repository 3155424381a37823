/** Topics that the service finds for its starter model by the direction of a question's vector, whatever its words. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { EngineError } from "../../server/model/engine/engine.ts";
import { startModelService, type ModelService } from "../support/model/model-service.ts";
import { createScriptedEngine } from "../support/model/scripted-engine.ts";
import { far, starterWithTopics } from "../support/model/starter-topics.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const engine = createScriptedEngine();
const folder = temporaryFolder();
let service: ModelService;
beforeAll(async () => {
  // The scripted engine gives a text the vector [3, 4, its length].
  const starterFile = starterWithTopics(folder.path, [3, 4, 0]);
  service = await startModelService(engine, { starterFile, starterConfidence: 0.7 });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function promptFor(content: string): Promise<string | undefined> {
  engine.steps = ["Yes."];
  const messages = [{ role: "user", content }];
  const reply = await service.post("/api/chat", { model: "hearth-starter", messages, stream: false });
  expect(reply.status).toBe(200);
  return engine.requests.at(-1)?.prompt;
}

it("is told of a topic of whose words a question has none", async () => {
  expect(await promptFor(far)).toMatch(/^<\|im_start\|>system\nPerhaps: ports<\|im_end\|>/);
});

it("answers without them where no memory is left for a vector", async () => {
  engine.embedError = new EngineError("out_of_memory", "no room");
  expect(await promptFor(far)).toMatch(/^<\|im_start\|>user\nzzz/);
});
