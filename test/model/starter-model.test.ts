/** The whole way from facts to a GGUF file in the model service, with a model that learns next to nothing. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { readVocabulary } from "../../build/starter-model/corpus/write-tokens.ts";
import { readModel } from "../../build/starter-model/gguf/read-model.ts";
import { findPython, madeOf, makeCorpus, makeModel, smokePlan, train } from "../../build/starter-model/steps.ts";
import { Encoder } from "../../build/starter-model/tokenizer/encoder.ts";
import { packTopics, topicsFile, topicsIn } from "../../server/model/starter/topics.ts";
import { createRunnerEngine } from "../../server/model/engine/runner-engine.ts";
import { startModelService } from "../support/model/model-service.ts";
import { startRunner } from "../support/model/runner-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const script = join(import.meta.dirname, "../../build/starter-model/run.ts");
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const file = join(folder.path, "hearth-starter.gguf");

async function run(...more: string[]): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [script, "--smoke", "--work", folder.path, "--threads", "1", ...more]);
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exited, printed: out + err };
}

describe("npm run starter-model -- --smoke", () => {
  let corpus: string;
  it("begins with a corpus, and a day's work of training", async () => {
    await makeCorpus(folder.path, smokePlan);
    corpus = readFileSync(join(folder.path, "corpus.json"), "utf8");
    const half = { ...smokePlan, tokens: smokePlan.tokens / 2 };
    expect(await train(await findPython(), folder.path, half, 1, () => undefined)).toBe(true);
  });

  it("goes on from there to a GGUF file and its report when it is run", async () => {
    const { code, printed } = await run();
    expect(printed).toMatch(/resumed: 5\d\.\d %/);
    expect(printed).toMatch(/\d+ bars met, \d+ missed/);
    expect(code).toBe(0);
    expect(readFileSync(join(folder.path, "corpus.json"), "utf8")).toBe(corpus);
    expect(readFileSync(join(folder.path, "report.md"), "utf8")).toContain("| tool calls: exact | ≥ 85 % |");
    expect(existsSync(file)).toBe(true);
  });

  it("goes on from a model where no run has begun, with its pieces and weights", async () => {
    using other = temporaryFolder();
    const plan = { ...smokePlan, tokens: 0, corpus: { ...smokePlan.corpus, samples: 10, vocabularySamples: 10 } };
    const { renewed } = await makeCorpus(other.path, plan, file);
    expect(renewed).toBe(1);
    expect(await train(await findPython(), other.path, plan, 1, () => undefined)).toBe(true);
    const again = join(other.path, "hearth-starter.gguf");
    expect(makeModel(other.path, again).trained).toEqual(madeOf(file).trained);
    const [known, copied] = await Promise.all([readModel(file), readModel(again)]);
    expect(copied.vocabulary).toEqual(known.vocabulary);
    expect(readFileSync(again).subarray(copied.firstByte)).toEqual(readFileSync(file).subarray(known.firstByte));
  });

  it("learns the look-up of a model that is there already, keeps the vectors of its topics, and writes its card", async () => {
    const [topics, card] = [join(folder.path, topicsFile), join(folder.path, "README.md")];
    const { all: before } = await topicsIn(topics)();
    expect(before.filter(({ vector }) => vector !== undefined).length).toBe(before.length - 1);
    writeFileSync(topics, packTopics(before.map((topic) => ({ ...topic, terms: {} }))));
    rmSync(card);
    const { code, printed } = await run("--look-up", "--model", file);
    expect([code, printed]).toEqual([0, expect.stringMatching(/\d+ bars met, \d+ missed/)]);
    expect((await topicsIn(topics)()).all).toEqual(before);
    expect(readFileSync(card, "utf8")).toMatch(/^Version 1-[0-9a-f]{8}\. /m);
  });

  it("learns a vocabulary that the engine reads as training does", async () => {
    await using runner = await startRunner();
    await using service = await startModelService(createRunnerEngine({ socketPath: runner.socketPath }), {
      starterFile: file,
    });
    const encoder = new Encoder(readVocabulary(folder.path));
    const corpus = readFileSync(join(folder.path, "corpus.jsonl"), "utf8").split("\n").slice(0, 40);
    const texts = corpus.map((line) => (JSON.parse(line) as { text: string }).text);
    for (const said of [...texts, "🙂 ünknown  ж\n\n  x_中文_y 12,345"]) {
      const reply = await service.post("/api/tokenize", { model: "hearth-starter", text: said });
      expect(((await reply.json()) as { tokens: number[] }).tokens).toEqual(encoder.encode(said));
    }
  });
});
