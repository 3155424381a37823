/**
 * The process that runs the code of routes. It may loop, crash or use up its memory: the application server then ends it and
 * starts another. A thread would not do, because V8 ends the whole process when a thread's heap is full within one growing
 * array, and cannot end every loop.
 */
import { Worker } from "node:worker_threads";
import type { FromChild, ToChild } from "../child-messages.ts";
import { addRoutes, type AddedRoutes } from "./add-routes.ts";
import { createQuestions } from "./ask-server.ts";
import { checkBody } from "./check-body.ts";
import { answerOf, thrownRefusal } from "./answer-of.ts";
import { describeFailure } from "./describe-failure.ts";
import { allowance, takePrints } from "./limit-prints.ts";
import { streamEvents } from "./stream-events.ts";
import { loadRoutes, loadedByPath, prepareLoading } from "./load-code.ts";

// The code gets neither this channel nor the environment.
const channel = process.send?.bind(process);
delete process.send;
const send = (message: FromChild) => void channel?.(message, undefined, undefined, () => undefined);
for (const name of Object.keys(process.env)) delete process.env[name];

/** In characters of its JSON. */
const longestState = 1024 * 1024;
const state: Record<string, unknown> = {};
let sentState = "{}";
let defines: ((routes: object) => unknown)[] = [];
let added: AddedRoutes = new Map();
const questions = createQuestions(send);

/** The state if it has changed. @throws TypeError for one that cannot be stored */
function changedState(): { state?: string } {
  const text = JSON.stringify(state);
  if (text === sentState) return {};
  if (text.length > longestState) throw new TypeError("the state is longer than 1 MB, and is not stored");
  sentState = text;
  return { state: text };
}

async function load({ files, kit }: Extract<ToChild, { type: "load" }>): Promise<void> {
  prepareLoading(kit);
  try {
    defines = await Promise.all(files.map(loadRoutes));
    send({ type: "imported", files: loadedByPath() });
  } catch (error) {
    const file = files[0] ?? "";
    send({ type: "unusable", failure: describeFailure(error, { file, line: 1, column: 1 }), files: loadedByPath() });
  }
}

async function define(stored: string): Promise<void> {
  Object.assign(state, JSON.parse(stored));
  sentState = stored;
  try {
    added = await addRoutes(defines, { state, db: questions.db });
    send({ type: "defined", routes: [...added.values()].map(({ route }) => route), ...changedState() });
  } catch (error) {
    send({ type: "unusable", failure: describeFailure(error), files: loadedByPath() });
  }
}

async function call({ id, route, request }: Extract<ToChild, { type: "call" }>): Promise<void> {
  send({ type: "began", id });
  const found = added.get(route);
  try {
    if (!found) throw new Error(`${route} is no route of this process`);
    const checked = found.body ? await checkBody(found.body, request.body) : { body: request.body };
    if ("problems" in checked) return send({ type: "invalid", id, ...checked });
    let refusal;
    let answer;
    try {
      const value = found.handler({ ...request, body: checked.body, pay: (order) => questions.pay(id, order) });
      answer = answerOf(await (found.route.isStream ? stream(id, value) : value));
    } catch (error) {
      refusal = thrownRefusal(error);
      if (!refusal) throw error;
    }
    if (refusal) send({ type: "refused", id, refusal, ...changedState() });
    else if (answer) send({ type: "answered", id, answer, ...changedState() });
  } catch (error) {
    send({ type: "failed", id, failure: describeFailure(error, found?.route.place), ...stateIfStorable() });
  }
}

/** The functions that end the generators of open streams. */
const streams = new Map<number, () => void>();

async function stream(id: number, returned: unknown): Promise<void> {
  const reader = {
    open: () => send({ type: "opened", id }),
    write: (frame: string) => questions.write(id, frame, changedState()),
  };
  try {
    await streamEvents(returned, reader, (end) => streams.set(id, end));
  } finally {
    streams.delete(id);
  }
}

function stateIfStorable(): { state?: string } {
  try {
    return changedState();
  } catch {
    return {};
  }
}

function reportStray(error: unknown): void {
  if (allowance.take()) send({ type: "stray", failure: describeFailure(error) });
}

Error.stackTraceLimit = 30;
takePrints((isError, line) => send({ type: "printed", isError, line }));
process.exit = () => {
  throw new Error("process.exit ends no server here");
};
process.on("uncaughtException", reportStray);
process.on("unhandledRejection", reportStray);
process.on("message", (message: ToChild) => {
  if (message.type === "load") void load(message);
  else if (message.type === "define") void define(message.state);
  else if (message.type === "told") questions.take(message);
  else if (message.type === "left") streams.get(message.id)?.();
  else void call(message);
});
process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
const watch = import.meta.url.endsWith(".ts") ? "./watch-thread.ts" : "./code-watch.js";
new Worker(new URL(watch, import.meta.url), { stdout: true, stderr: true });
