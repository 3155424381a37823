/** Calls of the model service, as the commands about models need them. */
import { readLines } from "../model/engine/read-lines.ts";

/** The model service refused, or nobody answered; the message is for the person at the command line. */
export class ModelServiceError extends Error {
  override readonly name = "ModelServiceError";
}

export interface ProgressLine {
  readonly status?: string;
  readonly digest?: string;
  readonly total?: number;
  readonly completed?: number;
  readonly error?: string;
}

interface Call {
  readonly method?: "GET" | "POST" | "DELETE" | "HEAD";
  readonly body?: string | Blob;
  readonly signal?: AbortSignal;
}

function errorText(text: string, status: number): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === "string") return error;
  } catch {
    // Not one of its answers.
  }
  return `the model service answered ${String(status)}: ${text.slice(0, 200)}`;
}

export function createModelClient(url: string) {
  async function send(path: string, { method = "GET", body, signal }: Call = {}): Promise<Response> {
    try {
      return await fetch(`${url}${path}`, {
        method,
        ...(body !== undefined && { body }),
        ...(signal !== undefined && { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw new ModelServiceError(
        `nobody answers at ${url}; start Hearth, or say where the model service is by --model-port or OLLAMA_HOST`,
        { cause: error },
      );
    }
  }

  async function call(path: string, options?: Call): Promise<Response> {
    const reply = await send(path, options);
    if (reply.ok) return reply;
    throw new ModelServiceError(errorText(await reply.text(), reply.status));
  }

  return {
    call,
    /** Whether the path is there. */
    has: async (path: string) => (await send(path, { method: "HEAD" })).ok,
    /** The lines of a reply until it ends. @throws ModelServiceError for a line with an error */
    async *lines(path: string, body: object, signal: AbortSignal): AsyncGenerator<ProgressLine> {
      const reply = await call(path, { method: "POST", body: JSON.stringify(body), signal });
      const bytes = reply.body as unknown as AsyncIterable<Buffer>;
      for await (const text of readLines(bytes)) {
        const line = JSON.parse(text) as ProgressLine;
        if (line.error !== undefined) throw new ModelServiceError(line.error);
        yield line;
      }
    },
  };
}
export type ModelClient = ReturnType<typeof createModelClient>;
