/**
 * Generation through Hearth's model service, beside the bare engine and, where it is installed, llama.cpp's own server: in
 * turns, with the same file of random weights. Prints medians and ranges; exits with 1 when a bar is missed.
 * `npm run bench -- model` is short: 85 million weights, one thread. HEARTH_BENCH_MODEL=1b takes 1.1 billion (620 MB),
 * HEARTH_BENCH_THREADS another number of threads, HEARTH_BENCH_ROUNDS another number of rounds.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeRandomGguf, type RandomGgufOptions } from "../support/random-gguf.ts";
import type { BareFigures } from "./bare-engine.ts";
import { startHearth } from "./hearth.ts";
import { hearthPeer, howToGetLlamaServer, startBareEngine, startLlamaServer, type ModelPeer } from "./model-peers.ts";
import { ratio, spread } from "./statistics.ts";

const shapes: Record<string, RandomGgufOptions> = {
  small: { layers: 8, width: 768, heads: 12, kvHeads: 4, feedForward: 2048, vocabulary: 16_000 },
  "1b": { layers: 22, width: 2048, heads: 32, kvHeads: 4, feedForward: 5632, vocabulary: 32_000 },
};
/** HTTP may cost 3 % of a token of the large model; of the small one, whose tokens take a tenth of that, more. */
const overheadBars: Record<string, number> = { small: 1.3, "1b": 1.03 };
const clients = 4;
const window = 1024;
const threads = Math.min(2, Number(process.env["HEARTH_BENCH_THREADS"] ?? 1));
const rounds = Number(process.env["HEARTH_BENCH_ROUNDS"] ?? 3);
const size = process.env["HEARTH_BENCH_MODEL"] ?? "small";
const [promptWords, answerTokens] = size === "1b" ? [120, 128] : [60, 64];

/** Text that nobody has in a cache: no two prompts begin alike. */
let prompts = 0;
const uniquePrompt = () => `${String(++prompts)} ${"the quick brown fox jumps ".repeat(promptWords / 5)}`;

interface Series {
  readonly perToken: number[];
  readonly firstMs: number[];
  readonly warmMs: number[];
  readonly together: number[];
}
const createSeries = (): Series => ({ perToken: [], firstMs: [], warmMs: [], together: [] });

const perToken = ({ restMs, tokens }: BareFigures) => restMs / (tokens - 1);

async function measure(peer: ModelPeer, series: Series, isBare: boolean): Promise<void> {
  const prompt = uniquePrompt();
  const cold = await peer.generate(prompt, answerTokens);
  const warm = await peer.generate(`${prompt} and so on`, 4);
  series.perToken.push(perToken(cold));
  series.firstMs.push(cold.firstMs);
  series.warmMs.push(warm.firstMs);
  // Its plain sequences cannot be batched in step: there is nothing to compare.
  if (isBare) return;
  const began = performance.now();
  const runs = await Promise.all(
    Array.from({ length: clients }, () => peer.generate(`${String(++prompts)} go`, answerTokens)),
  );
  const tokens = runs.reduce((sum, run) => sum + run.tokens, 0);
  series.together.push((1000 * tokens) / (performance.now() - began));
}

const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
const children: ChildProcess[] = [];
const start = (command: string, ...args: string[]) => {
  const child = spawn(command, args, {
    cwd: fileURLToPath(new URL("../../", import.meta.url)),
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, OLLAMA_NUM_PARALLEL: String(clients), OLLAMA_MODELS: "" },
  });
  children.push(child);
  return child;
};

function report(peers: readonly { peer: ModelPeer; series: Series }[]): boolean {
  for (const { peer, series } of peers) {
    console.log(`${peer.name}:`);
    console.log(`  one client: ${spread(series.perToken, 2)} ms a token; first token ${spread(series.firstMs)} ms,`);
    console.log(`    with the prompt's beginning in the cache ${spread(series.warmMs)} ms`);
    if (series.together.length > 0)
      console.log(`  ${String(clients)} clients: ${spread(series.together)} tokens/s together`);
  }
  const [ours, bare, server] = ["Hearth", "bare", "llama"].map(
    (name) => peers.find(({ peer }) => peer.name.startsWith(name))?.series,
  );
  if (ours === undefined || bare === undefined) return false;
  const results = [
    ratio("time a token, Hearth / bare engine", ours.perToken, bare.perToken, overheadBars[size] ?? 1, "at most"),
  ];
  if (server === undefined) console.log(howToGetLlamaServer);
  else {
    results.push(ratio("time a token, llama-server / Hearth", server.perToken, ours.perToken, 1));
    results.push(ratio("first token, Hearth / llama-server", ours.firstMs, server.firstMs, 1, "at most"));
    results.push(ratio("first token, cached, Hearth / llama-server", ours.warmMs, server.warmMs, 1, "at most"));
    results.push(ratio(`${String(clients)} clients, Hearth / llama-server`, ours.together, server.together, 1));
  }
  return results.every(Boolean);
}

try {
  const shape = shapes[size];
  if (shape === undefined) throw new Error(`HEARTH_BENCH_MODEL is one of ${Object.keys(shapes).join(", ")}`);
  const models = join(folder, "data", "models");
  mkdirSync(models, { recursive: true });
  const file = join(models, "bench.gguf");
  const { parameters, bytes } = writeRandomGguf(file, { ...shape, trainContext: 4096, type: "q4_0" });
  console.log(
    `${(parameters / 1e6).toFixed(0)} million weights, ${(bytes / 1e6).toFixed(0)} MB, ${String(threads)} thread(s)`,
  );
  const options = { file, window, threads };
  const hearth = await startHearth(start, { folder, name: "data", flags: [] });
  const server = await startLlamaServer(options, clients);
  const peers = [
    await startBareEngine(options),
    hearthPeer(hearth.model, "bench", options),
    ...(server ? [server] : []),
  ];
  const measured = peers.map((peer) => ({ peer, series: createSeries(), isBare: peer.name.startsWith("bare") }));
  for (const { peer } of measured) await peer.generate("to warm up", 8);
  for (let round = 0; round < rounds; round++) {
    // Whoever was first is last in the next round.
    for (const { peer, series, isBare } of round % 2 === 0 ? measured : measured.toReversed())
      await measure(peer, series, isBare);
    console.log(`  round ${String(round + 1)} of ${String(rounds)}`);
  }
  if (!report(measured)) process.exitCode = 1;
  await Promise.all(peers.map((peer) => peer.stop()));
} finally {
  for (const child of children) {
    if (child.exitCode !== null) continue;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
