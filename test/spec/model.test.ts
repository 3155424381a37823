import { fork } from "node:child_process";
import { once } from "node:events";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FromService } from "../../server/contract/process/process-messages.ts";
import { encodeHeader, type MetadataEntry } from "../support/model/gguf-encoding.ts";
import { lines, refusal, startRulesService, textOf, type ModelService } from "../support/model/model-service.ts";
import { weightFormats } from "../support/model/random-weights.ts";
import { freePort } from "../support/process/free-port.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { bodyOf } from "./spec-client.ts";
import { built } from "../support/process/launch.ts";
import { startOfEnvironment } from "../support/process/start-message.ts";

let service: ModelService;
beforeAll(async () => {
  const rules = [
    { when: { user: { equals: "Once upon a time" } }, text: "there was a king." },
    { when: { user: { equals: "Hello there" }, system: { equals: "Be kind." } }, text: "Good day" },
    { when: { user: { equals: "Hello" } }, text: "Good day" },
    { text: "Pardon?" },
  ];
  service = await startRulesService({ tiny: { rules } });
});
afterAll(() => service[Symbol.asyncDispose]());

const generate = (body: object) => service.post("/api/generate", body);
const chat = (body: object) => service.post("/api/chat", body);
const messages = [
  { role: "system", content: "Be kind." },
  { role: "user", content: "Hello there" },
];

/** A GGUF file with so many weights, of which the disk holds only the beginning. */
function writeLargeModel(path: string, parameters: number): void {
  const { typeId, blockValues, blockBytes } = weightFormats.q4_0;
  const size = (name: string, value: number) => ({ key: `llama.${name}`, type: "uint32", value }) as const;
  const metadata: MetadataEntry[] = [
    { key: "general.architecture", type: "string", value: "llama" },
    size("context_length", 4096),
    size("embedding_length", 3200),
    size("block_count", 1),
    size("attention.head_count", 32),
    size("feed_forward_length", 8640),
    { key: "llama.attention.layer_norm_rms_epsilon", type: "float32", value: 1e-5 },
    { key: "tokenizer.ggml.model", type: "string", value: "llama" },
    { key: "tokenizer.ggml.tokens", type: "string", value: ["a"] },
  ];
  const header = encodeHeader(metadata, [{ name: "weights", dims: [3200, parameters / 3200], typeId, offset: 0 }]);
  writeFileSync(path, header);
  truncateSync(path, header.length + (parameters / blockValues) * blockBytes);
}

/** The model service as a process of its own, on its default port unless one is given. */
async function startProcess(port: number | undefined) {
  const folder = temporaryFolder();
  const env = {
    ...process.env,
    HEARTH_DATA_DIR: folder.path,
    ...(port !== undefined && { HEARTH_MODEL_PORT: String(port) }),
    HEARTH_LOG_LEVEL: "silent",
    HEARTH_RUNNER_SOCKET: join(folder.path, "nobody.sock"),
  };
  const child = fork(built("model"), [], { stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: [], env });
  child.send(startOfEnvironment(env));
  const [message] = (await once(child, "message")) as [FromService];
  return {
    message,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) {
        child.kill();
        await once(child, "exit");
      }
      folder[Symbol.dispose]();
    },
  };
}

describe("Model requests", () => {
  it("[Model requests 1] generate finds the model by <name>:<size>, and says which one it does not know", async () => {
    expect((await generate({ model: "tiny:latest", prompt: "a", stream: false })).status).toBe(200);
    expect(await refusal(await generate({ model: "tiny:7b", prompt: "a" }))).toEqual([
      404,
      "model 'tiny:7b' not found",
    ]);
    expect((await generate({ prompt: "a" })).status).toBe(404);
    expect((await generate({ model: 7, prompt: "a" })).status).toBe(400);
  });

  it("[Model requests 2] generate hands the prompt to the model, and refuses one that is no string", async () => {
    const reply = await generate({ model: "tiny", prompt: "Once upon a time", stream: false });
    expect(await bodyOf(reply)).toMatchObject({ response: "there was a king." });
    expect((await generate({ model: "tiny", prompt: 5 })).status).toBe(400);
  });

  it("[Model requests 3] chat finds the model likewise", async () => {
    expect((await chat({ model: "tiny", messages, stream: false })).status).toBe(200);
    expect(await refusal(await chat({ model: "mistral:7b", messages }))).toEqual([404, "model 'mistral:7b' not found"]);
    expect((await chat({ messages })).status).toBe(400);
  });

  it("[Model requests 4] chat hands over every message with its role, and refuses what is no list of messages", async () => {
    const reply = await chat({ model: "tiny", messages, stream: false });
    expect(await bodyOf(reply)).toMatchObject({ message: { content: "Good day" } });
    for (const wrong of ["Hello", [{ role: 1, content: "x" }], [{ role: "user", content: 1 }], [7]])
      expect((await chat({ model: "tiny", messages: wrong })).status).toBe(400);
  });
});

describe("Model endpoints", () => {
  it("[Model endpoints 1] POST /api/generate generates once from model and prompt", async () => {
    const reply = await generate({ model: "tiny", prompt: "Hello", stream: false });
    expect(reply.status).toBe(200);
    expect(await bodyOf(reply)).toMatchObject({ model: "tiny", response: "Good day", done: true });
    expect((await service.get("/api/generate")).status).toBe(405);
  });

  it("[Model endpoints 2] POST /api/chat answers as the assistant", async () => {
    const reply = await chat({ model: "tiny", messages, stream: false });
    expect(reply.status).toBe(200);
    expect(await bodyOf(reply)).toMatchObject({ message: { role: "assistant", content: "Good day" }, done: true });
    expect((await service.get("/api/chat")).status).toBe(405);
  });

  it("[Model endpoints 3] [Limits 6] the port is 11434 unless another one is configured", async () => {
    // The port may be taken: then that is what the process says, or it leaves the port to the Ollama that has it.
    await using model = await startProcess(undefined);
    expect(JSON.stringify(model.message)).toMatch(/\b11434\b/);
    if (model.message.type === "ready") expect((await fetch("http://127.0.0.1:11434/api/tags")).status).toBe(200);
  });

  it("[Model endpoints 4] it listens on the port that is configured", async () => {
    const port = await freePort();
    await using model = await startProcess(port);
    expect(model.message).toMatchObject({ type: "ready", urls: { model: `http://127.0.0.1:${String(port)}` } });
    expect((await fetch(`http://127.0.0.1:${String(port)}/api/tags`)).status).toBe(200);
  });

  it("[Limits 5] a model that wants more memory than the host has says so before it is used", async () => {
    const gigabyte = 2 ** 30;
    const advised = { 7: 8, 13: 16, 33: 32 };
    for (const [billions, gigabytes] of Object.entries(advised)) {
      const warningsWith = async (totalMemory: number) => {
        await using host = await startRulesService({}, { registry: { totalMemory } });
        writeLargeModel(join(host.modelsDir, "large.gguf"), Number(billions) * 1e9);
        return bodyOf(await host.post("/api/show", { model: "large" }));
      };
      const short = await warningsWith((gigabytes / 2) * gigabyte);
      const text = `${billions}B parameters needs at least ${String(gigabytes)} GB`;
      expect(short).toHaveProperty("warnings", [expect.stringContaining(text)]);
      expect(await warningsWith(gigabytes * gigabyte)).not.toHaveProperty("warnings");
    }
  });

  it("[Model endpoints 5] without stream:false the reply is JSON lines, of which the last says done", async () => {
    for (const [reply, member] of [
      [await generate({ model: "tiny", prompt: "Hello" }), "response"],
      [await chat({ model: "tiny", messages }), "message"],
    ] as const) {
      expect(reply.headers.get("content-type")).toBe("application/x-ndjson");
      const chunks = await lines(reply);
      expect(textOf(chunks)).toBe("Good day");
      expect(chunks.map(({ done }) => done)).toEqual([...chunks.slice(1).map(() => false), true]);
      for (const chunk of chunks) expect(chunk).toHaveProperty(member);
    }
  });
});
