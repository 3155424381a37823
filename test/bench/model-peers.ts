/** The servers of models that the benchmark compares, each behind the same three calls. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { BareFigures } from "./bare-engine.ts";

export interface ModelPeer {
  readonly name: string;
  /** Generates greedily from a prompt that is sent as it is. */
  generate(prompt: string, tokens: number): Promise<BareFigures>;
  stop(): Promise<void>;
}

interface PeerOptions {
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

/** Reads a stream of lines; `textOf` gives the text of a line, if it has any. Times are the client's. */
async function timed(url: string, body: unknown, textOf: (line: string) => string): Promise<BareFigures> {
  const began = performance.now();
  const reply = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  if (!reply.ok || reply.body === null) throw new Error(`${url}: ${String(reply.status)} ${await reply.text()}`);
  let [firstAt, tokens, rest] = [0, 0, ""];
  for await (const chunk of reply.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (textOf(line) === "") continue;
      if (tokens++ === 0) firstAt = performance.now();
    }
  }
  return { firstMs: firstAt - began, restMs: performance.now() - firstAt, promptTokens: 0, tokens };
}

export async function startBareEngine({ file, window, threads }: PeerOptions): Promise<ModelPeer> {
  const script = new URL("bare-engine.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, file, String(window), String(threads)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, UV_THREADPOOL_SIZE: "1" },
  });
  await once(child, "message");
  return {
    name: "bare engine",
    async generate(prompt, tokens) {
      const answer = once(child, "message");
      child.send({ prompt, tokens });
      const [figures] = (await answer) as [BareFigures];
      return figures;
    },
    stop: () => end(child),
  };
}

/** Ours: `url` is that of a model service that serves the file as `model`. */
export const hearthPeer = (url: string, model: string, { window, threads }: PeerOptions): ModelPeer => ({
  name: "Hearth over HTTP",
  generate(prompt, tokens) {
    const options = { temperature: 0, num_predict: tokens, num_ctx: window, num_thread: threads };
    return timed(`${url}/api/generate`, { model, prompt, raw: true, options }, (line) =>
      String((JSON.parse(line) as { response: unknown }).response),
    );
  },
  stop: () => Promise.resolve(),
});

/** Where llama.cpp's own server is: LLAMA_SERVER, or on the path. */
function findLlamaServer(): string | undefined {
  const command = process.env["LLAMA_SERVER"] ?? "llama-server";
  return spawnSync(command, ["--version"], { stdio: "ignore" }).error === undefined ? command : undefined;
}

export const howToGetLlamaServer =
  "llama-server is not installed, so that comparison is left out. On Debian: debootstrap sid /srv/sid, then in that chroot" +
  " apt install llama.cpp-tools; LLAMA_SERVER names the command (a script that calls chroot will do)";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Undefined where it is not installed. */
export async function startLlamaServer(options: PeerOptions, sequences: number): Promise<ModelPeer | undefined> {
  const command = findLlamaServer();
  if (command === undefined) return undefined;
  const { file, window, threads } = options;
  const port = await freePort();
  const sizes = ["-c", String(window * sequences), "-np", String(sequences), "-t", String(threads), "-b", "128"];
  const child = spawn(command, ["-m", file, "--host", "127.0.0.1", "--port", String(port), ...sizes], {
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${String(port)}`;
  while (
    !(await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${String(child.exitCode)}`);
    await wait(50);
  }
  return {
    name: "llama-server",
    generate: (prompt, tokens) =>
      timed(
        `${url}/completion`,
        { prompt, n_predict: tokens, temperature: 0, stream: true, cache_prompt: true },
        (line) =>
          line.startsWith("data: {") ? String((JSON.parse(line.slice(6)) as { content: unknown }).content) : "",
      ),
    stop: () => end(child),
  };
}
