/** The servers of models that the benchmark compares, each behind the same call. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { processEnvironment } from "../../../server/supervisor/processes/process-environment.ts";
import { freePort } from "../../support/process/free-port.ts";
import type { BareRequest } from "./bare-engine.ts";
import { readStream, type Figures, type StreamLine } from "./read-stream.ts";

/** Generates greedily from a prompt that is sent as it is. */
export interface Ask {
  readonly prompt: string;
  readonly tokens: number;
  /** Goes away after so many tokens. */
  readonly leaveAfter?: number | undefined;
  readonly onToken?: (() => void) | undefined;
}

export interface ModelPeer extends AsyncDisposable {
  readonly name: string;
  /** @throws Error when it generates fewer tokens than asked for */
  generate(ask: Ask): Promise<Figures>;
}

export interface PeerOptions {
  readonly file: string;
  /** Tokens of the window of each sequence. */
  readonly window: number;
  readonly threads: number;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

function checked(name: string, { tokens, leaveAfter = Infinity }: Ask, figures: Figures): Figures {
  const least = Math.min(tokens, leaveAfter);
  if (figures.tokens >= least) return figures;
  throw new Error(`${name} generated ${String(figures.tokens)} tokens instead of ${String(least)}`);
}

export interface BareEngine extends ModelPeer {
  /** Generates so many tokens to each prompt side by side. @returns milliseconds */
  generateTogether(prompts: readonly string[], tokens: number): Promise<number>;
}

export async function startBareEngine({ file, window, threads }: PeerOptions, sequences = 1): Promise<BareEngine> {
  const name = `bare engine, ${String(threads)} thread(s)`;
  const script = new URL("bare-engine.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, file, ...[window, threads, sequences].map(String)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, ...processEnvironment("runner") },
  });
  await once(child, "message");
  const request = async (requested: BareRequest) => {
    const answer = once(child, "message");
    child.send(requested);
    const [figures] = (await answer) as [Figures];
    return figures;
  };
  return {
    name,
    generate: async (ask) => checked(name, ask, await request({ prompts: [ask.prompt], tokens: ask.tokens })),
    generateTogether: async (prompts, tokens) => (await request({ prompts, tokens })).restMs,
    [Symbol.asyncDispose]: () => end(child),
  };
}

interface GenerateLine {
  readonly response: string;
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
}

const hearthLine = (line: string): StreamLine => {
  const { response: text, prompt_eval_count: promptTokens, eval_count: tokens } = JSON.parse(line) as GenerateLine;
  return { text, promptTokens, tokens };
};

export interface HearthAsking {
  /** Of a model service that serves the file as `bench`. */
  readonly url: string;
  readonly window: number;
  /** Undefined: as many as it thinks best. */
  readonly threads?: number | undefined;
  /** Further options, and what tells a peer with them from others. */
  readonly options?: object;
  readonly name?: string;
}

export const hearthBody = ({ window, threads, options }: HearthAsking, { prompt, tokens }: Ask) => ({
  model: "bench",
  prompt,
  raw: true,
  keep_alive: -1,
  options: { temperature: 0, num_predict: tokens, num_ctx: window, num_thread: threads ?? 0, ...options },
});

export function hearthPeer(asking: HearthAsking): ModelPeer {
  const { url, threads } = asking;
  const name = asking.name ?? `Hearth, ${threads === undefined ? "automatic threads" : `${String(threads)} thread(s)`}`;
  return {
    name,
    async generate(ask) {
      const { leaveAfter, onToken } = ask;
      const body = hearthBody(asking, ask);
      return checked(
        name,
        ask,
        await readStream(`${url}/api/generate`, body, { parse: hearthLine, leaveAfter, onToken }),
      );
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Where llama.cpp's own server is: LLAMA_SERVER, or on the path. */
function findLlamaServer(): string | undefined {
  const command = process.env["LLAMA_SERVER"] ?? "llama-server";
  return spawnSync(command, ["--version"], { stdio: "ignore" }).error === undefined ? command : undefined;
}

export const howToGetLlamaServer = `SKIP llama-server is not installed, so nothing is compared with it. On Debian, as root:
  debootstrap --variant=minbase sid /srv/sid
  chroot /srv/sid sh -c "apt-get update && apt-get install -y --no-install-recommends llama.cpp-tools"
  and LLAMA_SERVER=FILE, where FILE is an executable script that lets it see this system's temporary files:
    #!/bin/sh
    exec unshare --mount sh -c 'for d in /proc /dev /sys /tmp; do mount --rbind $d /srv/sid$d; done
      exec chroot /srv/sid llama-server "$@"' sh "$@"`;

interface CompletionEvent {
  readonly content: string;
  readonly tokens_evaluated?: number;
}

function llamaServerLine(line: string): StreamLine {
  if (!line.startsWith("data: {")) return { text: "" };
  const { content, tokens_evaluated: promptTokens } = JSON.parse(line.slice(6)) as CompletionEvent;
  return { text: content, promptTokens };
}

export interface LlamaServer extends ModelPeer {
  readonly url: string;
}

/** Undefined where it is not installed. */
export async function startLlamaServer(
  options: PeerOptions,
  sequences: number,
  flags: readonly string[] = [],
): Promise<LlamaServer | undefined> {
  const command = findLlamaServer();
  if (command === undefined) return undefined;
  const { file, window, threads } = options;
  const name = `llama-server, ${String(threads)} thread(s)`;
  const port = await freePort();
  const sizes = ["-c", String(window * sequences), "-np", String(sequences), "-t", String(threads)];
  const child = spawn(command, ["-m", file, "--host", "127.0.0.1", "--port", String(port), ...sizes, ...flags], {
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${String(port)}`;
  const isUp = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${String(child.exitCode)}`);
    await wait(50);
  }
  return {
    name,
    url,
    async generate(ask) {
      const { prompt, tokens, leaveAfter, onToken } = ask;
      const body = { prompt, n_predict: tokens, temperature: 0, stream: true, cache_prompt: true };
      const reading = { parse: llamaServerLine, leaveAfter, onToken };
      return checked(name, ask, await readStream(`${url}/completion`, body, reading));
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}
