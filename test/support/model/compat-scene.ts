/** The set-up of tests of one route of OpenAI's or Anthropic's over scripted answers. */
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Wire } from "./model-service.ts";
import { ends, eventsOf, says, startCompatService, type CompatService } from "./scripted-completions.ts";

/** Registers the hooks; before each test the answer is "Hello" again. */
export function compatScene(path: string) {
  let service: CompatService;
  beforeAll(async () => {
    service = await startCompatService();
  });
  afterAll(() => service[Symbol.asyncDispose]());
  beforeEach(() => {
    service.completions.steps = [says("Hel"), says("lo"), ends()];
  });
  return {
    get service() {
      return service;
    },
    /** What the last chat was asked for. */
    asked: () => service.completions.chats.at(-1),
    whole: async (body: object): Promise<Wire> => (await service.post(path, body)).json(),
    streamed: async (body: object): Promise<{ name: string | undefined; data: Wire }[]> =>
      eventsOf(await service.post(path, { ...body, stream: true })),
  };
}
