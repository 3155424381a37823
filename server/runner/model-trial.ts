/** A process of its own that reads one model's header with the engine, for a parent that must not crash with it. */
import { answerTask } from "../process/lifetime/answer-task.ts";
import { answerBinaryTest } from "./answer-binary-test.ts";

await answerTask(async ({ file }: { readonly file: string }) => {
  // This process may crash, so the engine's binary needs no test in another one.
  answerBinaryTest({ has: () => true, add: () => undefined });
  return (await import("./llama-engine/try-header.ts")).tryHeader(file);
});
