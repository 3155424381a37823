/** What the sections of the model's benchmark share: the file of weights, the servers over it, prompts and turns. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { seededBits } from "../../support/model/random-weights.ts";
import { writeRandomGguf, type RandomGgufOptions } from "../../support/model/random-gguf.ts";
import { startHearth } from "../hearth.ts";
import { howToGetLlamaServer, startLlamaServer, type ModelPeer } from "./peers.ts";

const shapes: Record<string, RandomGgufOptions> = {
  small: { layers: 8, width: 768, heads: 12, kvHeads: 4, feedForward: 2048, vocabulary: 16_000 },
  "1b": { layers: 22, width: 2048, heads: 32, kvHeads: 4, feedForward: 5632, vocabulary: 32_000 },
};

export interface ModelScene extends AsyncDisposable {
  readonly rounds: number;
  /** Generations at a time. */
  readonly clients: number;
  /** Tokens of the window of each sequence. */
  readonly window: number;
  readonly file: string;
  /** Threads that both sides are held to; undefined: each has its own best. */
  readonly fixedThreads: number | undefined;
  /** Numbers of threads worth trying: 1, 2, 4… and all cores. */
  readonly threadCounts: readonly number[];
  /** Another file of random weights, which Hearth serves as `bench`, too; of the same shape unless told otherwise. */
  writeModel(name: string, options: RandomGgufOptions): string;
  /** A folder that lasts as long as the scene. */
  readonly folder: string;
  /** Starts Hearth with the file as its model `bench`, over a data directory of its own unless one is named. */
  startService(file?: string, data?: string): Promise<RunningService>;
  /** llama.cpp's own server with its fastest number of threads. */
  startBestLlamaServer(): Promise<ModelPeer | undefined>;
}

interface RunningService extends AsyncDisposable {
  readonly url: string;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

const random = seededBits(7);
const letters = "etaoinshrdlcumwfgypbvkjxqz";
const letter = () => letters[(random() >>> 0) % letters.length] ?? "e";

/** So many tokens that no earlier prompt begins with: words of two letters are one token each in generated models. */
export const uniquePrompt = (tokens: number): string =>
  Array.from({ length: tokens }, () => letter() + letter()).join(" ");

/** Whoever was first is last in the next round. */
export async function inTurns<Subject>(
  rounds: number,
  subjects: readonly Subject[],
  measure: (subject: Subject) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) await measure(subject);
    console.log(`  round ${String(round + 1)} of ${String(rounds)}`);
  }
}

export const tokensPerSecond = (tokens: number, ms: number) => (1000 * tokens) / ms;

function countsUpTo(cores: number): number[] {
  const powers = Array.from({ length: Math.floor(Math.log2(cores)) + 1 }, (_, i) => 2 ** i);
  return [...new Set([...powers, cores])];
}

/** Milliseconds a token, the better of two short runs. */
async function quickPace(peer: ModelPeer): Promise<number> {
  const paces: number[] = [];
  for (let run = 0; run < 2; run++) {
    const { restMs, tokens } = await peer.generate({ prompt: uniquePrompt(16), tokens: 24 });
    paces.push(restMs / (tokens - 1));
  }
  return Math.min(...paces);
}

async function startBest(start: (threads: number) => Promise<ModelPeer | undefined>, counts: readonly number[]) {
  let best: { threads: number; pace: number } | undefined;
  for (const threads of counts.length > 1 ? counts : []) {
    await using peer = await start(threads);
    if (peer === undefined) break;
    const pace = await quickPace(peer);
    console.log(`  ${peer.name}: ${pace.toFixed(1)} ms a token in a short try`);
    if (best === undefined || pace < best.pace) best = { threads, pace };
  }
  return start(best?.threads ?? counts[0] ?? 1);
}

/** Settings are read from the environment: HEARTH_BENCH_MODEL, HEARTH_BENCH_THREADS, HEARTH_BENCH_ROUNDS. */
export function createScene(): ModelScene {
  const {
    HEARTH_BENCH_MODEL: size = "1b",
    HEARTH_BENCH_THREADS: threads,
    HEARTH_BENCH_ROUNDS: rounds = "5",
  } = process.env;
  const shape = shapes[size];
  if (shape === undefined) throw new Error(`HEARTH_BENCH_MODEL is one of ${Object.keys(shapes).join(", ")}`);
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
  const [clients, window] = [4, 1024];
  const fixedThreads = threads === undefined ? undefined : Number(threads);
  const threadCounts = countsUpTo(availableParallelism());
  const running = new Set<ChildProcess>();
  let services = 0;
  let isReported = false;

  function writeModel(name: string, own: RandomGgufOptions): string {
    mkdirSync(join(folder, name));
    const path = join(folder, name, "bench.gguf");
    const { parameters, bytes } = writeRandomGguf(path, { trainContext: 4096, type: "q4_0", ...shape, ...own });
    console.log(`${name}: ${(parameters / 1e6).toFixed(0)} million random weights, ${(bytes / 1e6).toFixed(0)} MB`);
    return path;
  }
  const file = writeModel(size, shape);

  const start = (command: string, ...args: string[]) => {
    const child = spawn(command, args, {
      cwd: fileURLToPath(new URL("../../../", import.meta.url)),
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, OLLAMA_NUM_PARALLEL: String(clients), OLLAMA_MODELS: join(folder, "no-store") },
    });
    running.add(child);
    return child;
  };

  return {
    rounds: Number(rounds),
    clients,
    window,
    file,
    fixedThreads,
    threadCounts,
    writeModel,
    folder,
    async startService(served = file, data = `data-${String(++services)}`) {
      const flags = ["--model", served, "--no-record-requests"];
      let child: ChildProcess | undefined;
      const { model } = await startHearth((...call) => (child = start(...call)), {
        folder,
        name: data,
        flags,
      });
      return { url: model, [Symbol.asyncDispose]: () => (child === undefined ? Promise.resolve() : end(child)) };
    },
    async startBestLlamaServer() {
      const counts = fixedThreads === undefined ? threadCounts : [fixedThreads];
      const server = await startBest((count) => startLlamaServer({ file, window, threads: count }, clients), counts);
      if (server === undefined && !isReported) console.log(howToGetLlamaServer);
      isReported = true;
      return server;
    },
    async [Symbol.asyncDispose]() {
      for (const child of running) await end(child);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
