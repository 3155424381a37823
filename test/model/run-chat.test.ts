/** `hearth run`: the chat on a terminal in this process, and what comes by a pipe with the program itself. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { modelTransport } from "../../server/cli/models/model-transport.ts";
import { runChat } from "../../server/cli/models/run-chat.ts";
import { createModelClient } from "../../server/contract/model/model-client.ts";
import { EngineError } from "../../server/model/engine/engine.ts";
import { startModelService, type ModelService } from "../support/model/model-service.ts";
import { createScriptedEngine, type ScriptedEngine } from "../support/model/scripted-engine.ts";
import { plainEnvironment } from "../support/process/launch.ts";

let engine: ScriptedEngine;
let service: ModelService;
beforeEach(async () => {
  engine = createScriptedEngine();
  engine.steps = ["Hel", "lo\u001b[2J."];
  service = await startModelService(engine, { files: { "tiny.gguf": {} } });
});
afterEach(() => service[Symbol.asyncDispose]());

/** What a client reaches the service through, until it breaks every connection. */
async function breakableService() {
  const held: Socket[] = [];
  const { port } = new URL(service.url);
  const server = createServer((client) => {
    const behind = connect(Number(port), "127.0.0.1");
    for (const socket of [client, behind]) held.push(socket.on("error", () => undefined));
    client.pipe(behind).pipe(client);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const breakAll = () => void held.splice(0).forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    breakAll,
    [Symbol.dispose]() {
      breakAll();
      server.close();
    },
  };
}

/** A terminal whose keys the test presses. */
function openTerminal(model = "hearth-starter", { url }: { readonly url: string } = service) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  let shown = "";
  output.on("data", (piece: Buffer) => (shown += piece.toString()));
  const ended = runChat(createModelClient(modelTransport(url)), model, { input, output });
  return {
    ended,
    press: (keys: string) => void input.write(keys),
    sees: (part: string) => expect.poll(() => shown).toContain(part),
    shown: () => shown,
  };
}

describe("hearth run on a terminal", () => {
  it("answers line by line with what was said before, and ends with /bye", async () => {
    const { ended, press, sees } = openTerminal();
    await sees(">>> ");
    press("Who are you?\r");
    await sees("Hello\\u001b[2J.");
    engine.steps = ["Again."];
    // The line is edited before it is sent.
    press("MX\u007fore\r");
    await sees("Again.");
    const prompt = engine.requests.at(-1)?.prompt ?? "";
    for (const part of ["Who are you?", "Hello", "More"]) expect(prompt).toContain(part);
    press("/bye\r");
    expect(await ended).toBe(0);
  });

  it("shows the progress of the load in the line, and the answer whole in its place", async () => {
    const { ended, press, sees, shown } = openTerminal("tiny");
    await sees(">>> ");
    press("Hi\r");
    await sees("2J.");
    expect(shown()).toContain("loading tiny   50 %\r\u001b[KHello\\u001b[2J.\n");
    press("/bye\r");
    expect(await ended).toBe(0);
  });

  it("stops an answer at Ctrl-C and goes on; between two answers Ctrl-C ends it", async () => {
    engine.steps = ["Once upon", { wait: true }];
    const { ended, press, sees } = openTerminal();
    await sees(">>> ");
    press("Tell me\r");
    await sees("Once upon");
    press("\u0003");
    await expect.poll(() => engine.aborted.length).toBe(1);
    engine.steps = ["The end."];
    press("And then?\r");
    await sees("The end.");
    expect(engine.requests.at(-1)?.prompt).toContain("Once upon");
    press("\u0003");
    expect(await ended).toBe(0);
  });

  it("stops the answer, too, when it ends in the middle of one", async () => {
    engine.steps = ["Once upon", { wait: true }];
    const { ended, press, sees } = openTerminal();
    await sees(">>> ");
    press("Tell me\r");
    await sees("Once upon");
    press("\u0004");
    expect(await ended).toBe(0);
    await expect.poll(() => engine.aborted.length).toBe(1);
  });

  it("tells what went wrong, and lets the next question be asked without it", async () => {
    engine.steps = [{ fail: new EngineError("failed", "the engine stumbled") }];
    const { ended, press, sees } = openTerminal();
    await sees(">>> ");
    press("Odd one\r");
    await sees("the engine stumbled");
    engine.steps = ["Fine."];
    press("Good one\r");
    await sees("Fine.");
    expect(engine.requests.at(-1)?.prompt).not.toContain("Odd one");
    press("\u0004");
    expect(await ended).toBe(0);
  });

  it("tells in one line that the service has ended before its answer did, and asks the next question without it", async () => {
    using between = await breakableService();
    engine.steps = ["Once upon", { wait: true }];
    const { ended, press, sees, shown } = openTerminal("hearth-starter", between);
    await sees(">>> ");
    press("Odd one\r");
    await sees("Once upon");
    between.breakAll();
    await sees(`Once upon\nthe model service at ${between.url} stopped before its answer was complete\n`);
    engine.steps = ["Fine."];
    press("Good one\r");
    await sees("Fine.");
    expect(engine.requests.at(-1)?.prompt).not.toContain("Odd one");
    expect(shown()).not.toContain("terminated");
    press("\u0004");
    expect(await ended).toBe(0);
  });
});

const main = pathToFileURL(join(import.meta.dirname, "../../server/cli/main.ts")).href;
const script = `import(${JSON.stringify(main)}).then(({ main }) => main(process.argv.slice(1)))`;

/** The program with a text by a pipe. */
async function piped(question: string, ...args: string[]) {
  const env = { ...plainEnvironment(), OLLAMA_HOST: service.url };
  const child = spawn(process.execPath, ["-e", script, "--", "run", ...args], { env });
  child.stdin.end(question);
  const [[code], out, err] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { code: code as number | null, out, err };
}

describe("hearth run by a pipe", () => {
  it("answers the whole text once", async () => {
    const question = "First line\nsecond line\n/bye\n";
    expect(await piped(question, "hearth-starter")).toEqual({ code: 0, out: "Hello\\u001b[2J.\n", err: "" });
    expect(engine.requests).toHaveLength(1);
    expect(engine.requests[0]?.prompt).toContain("First line\nsecond line\n/bye");
  });

  it("pulls nothing by itself, and says how to", async () => {
    const { code, err } = await piped("Hi", "nobody:1b");
    expect([code, err]).toEqual([1, "hearth: model 'nobody:1b' not found; \"hearth pull nobody:1b\" downloads it\n"]);
    expect(await piped(" ", "hearth-starter")).toMatchObject({ code: 1, err: expect.stringContaining("nothing") });
    expect((await piped("Hi")).code).toBe(2);
  });
});
