/** Renders chat templates, of Jinja or Go, on their own thread, which starts with the first template and ends with the process. */
import { Worker } from "node:worker_threads";
import type { TemplateAnswer, TemplateAsk, TemplateFailure, TemplateLimits } from "./template-messages.ts";

/** A problem with a template, or an error that it raised. The message does not name the template. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
  readonly kind: TemplateFailure["kind"];
  constructor({ kind, message }: TemplateFailure) {
    super(message);
    this.kind = kind;
  }
}

/** Whether the template may accept other variables: some templates refuse by an operation that fails. */
export const isRefusal = (error: unknown) =>
  error instanceof TemplateError && error.kind !== "out_of_time" && error.kind !== "too_large";

const entry = new URL(
  import.meta.url.endsWith(".ts") ? "./template-thread.ts" : "./template-thread.js",
  import.meta.url,
);

/** Calls leave only short-lived garbage; a larger heap would hold memory that is never returned. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

function startThread(limits: TemplateLimits, onEnd: () => void) {
  const worker = new Worker(entry, { name: "templates", workerData: limits, resourceLimits });
  worker.unref();
  const waiting = new Map<number, PromiseWithResolvers<string>>();
  let lastId = 0;
  let reason: unknown = new Error("the template thread has ended");
  worker.on("message", ({ id, output = "", failure }: TemplateAnswer) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (failure === undefined) asked?.resolve(output);
    else asked?.reject(new TemplateError(failure));
  });
  worker.on("error", (error) => {
    reason = error;
  });
  worker.on("exit", () => {
    onEnd();
    for (const { reject } of waiting.values()) reject(reason);
  });
  return {
    ask(text: string, variables: string | undefined): Promise<string> {
      const asked = Promise.withResolvers<string>();
      const id = ++lastId;
      waiting.set(id, asked);
      worker.postMessage({ id, text, variables } satisfies TemplateAsk);
      return asked.promise;
    },
    end: async (): Promise<void> => void (await worker.terminate()),
  };
}

export function createTemplateRenderer(limits: TemplateLimits) {
  let thread: ReturnType<typeof startThread> | undefined;
  let isClosed = false;
  const ask = async (text: string, variables: string | undefined): Promise<string> => {
    if (isClosed) throw new Error("no template is rendered any more");
    thread ??= startThread(limits, () => {
      thread = undefined;
    });
    return thread.ask(text, variables);
  };
  return {
    /** @throws TemplateError for a text that is no template */
    check: async (text: string): Promise<void> => void (await ask(text, undefined)),
    /** Renders the variables, which must be JSON. @throws TemplateError */
    render: async (text: string, variables: Readonly<Record<string, unknown>>): Promise<string> =>
      ask(text, JSON.stringify(variables)),
    /** Aborts rendering. */
    async close(): Promise<void> {
      isClosed = true;
      await thread?.end();
    },
  };
}
export type TemplateRenderer = ReturnType<typeof createTemplateRenderer>;
