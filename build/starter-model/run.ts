/**
 * `npm run starter-model`: trains the starter model, from nothing to GGUF file and report.
 *
 *   npm run starter-model -- [--work DIR] [--threads N] [--tokens N]   goes on where it stopped, also on another day
 *   npm run starter-model -- --renew                                  the same, with facts and wordings as they are now;
 *                                                                     where no run has begun, from the shipped model on
 *   npm run starter-model -- --smoke                                  all steps, with a model that learns next to nothing
 *   npm run starter-model -- --eval [--model FILE]                    the bars of the shipped model, or of another one
 *   npm run starter-model -- --look-up [--model FILE]                 its look-up and card, with the wordings as they are now
 *   npm run starter-model -- --export                                 GGUF file and report of what is trained so far
 */
import { existsSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { format, resolveConfig } from "prettier";
import { starterFile } from "../../server/model/starter/starter-file.ts";
import { root } from "../root.ts";
import { evaluate } from "./evaluate/evaluate.ts";
import { readKnowledge } from "./corpus/topics.ts";
import { cardOf, type Making } from "./evaluate/card.ts";
import { barsOf, reportOf } from "./evaluate/report.ts";
import {
  findPython,
  learnedVectors,
  madeOf,
  makeCorpus,
  makeModel,
  seed,
  shippedVectors,
  smokePlan,
  train,
  wholePlan,
  writeLookUp,
} from "./steps.ts";
import type { Plan, Progress } from "./steps.ts";

const { values: given } = parseArgs({
  options: {
    work: { type: "string" },
    model: { type: "string" },
    threads: { type: "string", default: String(availableParallelism()) },
    tokens: { type: "string" },
    smoke: { type: "boolean", default: false },
    eval: { type: "boolean", default: false },
    export: { type: "boolean", default: false },
    "look-up": { type: "boolean", default: false },
    renew: { type: "boolean", default: false },
  },
});
const judged = given.model ?? starterFile();
const plan: Plan = given.smoke ? smokePlan : wholePlan;
const work = given.work ?? join(root, ".cache", given.smoke ? "starter-model-smoke" : "starter-model");
const tokens = given.tokens === undefined ? plan.tokens : Number(given.tokens);

const inMinutes = (seconds: number) =>
  seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;

let began: Progress | undefined;
function printProgress(progress: Progress): void {
  began ??= progress;
  const { event, step, tokens: learned, of_tokens: all, seconds, loss } = progress;
  const speed = (learned - began.tokens) / (seconds - began.seconds);
  const left = speed > 0 ? `, ${speed.toFixed(0)} tokens/s, ${inMinutes((all - learned) / speed)} left` : "";
  const share = `${((100 * learned) / all).toFixed(1)} %`;
  console.log(`${event}: ${share} of ${(all / 1e6).toFixed(1)} M tokens, step ${step}, loss ${loss.toFixed(4)}${left}`);
}

let saidAt = 0;
function printAsked(done: number, of: number): void {
  if (Date.now() - saidAt < 10_000 && done < of) return;
  saidAt = Date.now();
  console.log(`asked ${done} of ${of} questions`);
}

/** Evaluates a file, prints its report, and writes it. */
async function judgeModel(file: string): Promise<string> {
  const evaluation = await evaluate(file, work, plan.judged, seed, printAsked);
  const report = reportOf(evaluation);
  writeFileSync(join(work, "report.md"), report);
  console.log(`\n${report}`);
  const missed = barsOf(evaluation).filter(({ met }) => !met);
  console.log(`${barsOf(evaluation).length - missed.length} bars met, ${missed.length} missed`);
  return report;
}

/** Judges a file, and writes its card beside it. */
async function describeModel(file: string, making: Making): Promise<void> {
  const card = cardOf(readKnowledge(), making, await judgeModel(file));
  const path = join(dirname(file), "README.md");
  writeFileSync(path, await format(card, { ...(await resolveConfig(path)), filepath: path }));
}

if (given.eval) {
  await judgeModel(judged);
} else if (given["look-up"]) {
  await writeLookUp(judged, plan, await shippedVectors(judged));
  await describeModel(judged, madeOf(judged));
} else {
  const { samples, tokens: corpusTokens, vocabulary } = await makeCorpus(work, plan, given.renew ? judged : undefined);
  console.log(`corpus: ${samples} samples, ${(corpusTokens / 1e6).toFixed(1)} M tokens, ${vocabulary} pieces`);
  const trained = given.export
    ? existsSync(join(work, "weights.json"))
    : await train(await findPython(), work, { ...plan, tokens }, Number(given.threads), printProgress);
  if (trained) {
    const file = join(work, "hearth-starter.gguf");
    const made = makeModel(work, file);
    console.log(`${relative(root, file)}: ${made.bytes} bytes`);
    await writeLookUp(file, plan, learnedVectors(work));
    await describeModel(file, made);
  }
}
