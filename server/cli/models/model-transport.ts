import type { ModelTransport } from "../../contract/model/model-client.ts";
import { bodyChunks } from "../../contract/read-lines.ts";

/** The model service refused (`status`), or did not answer; the message is for the person at the command line. */
export class ModelServiceError extends Error {
  override readonly name = "ModelServiceError";
  readonly status: number | undefined;
  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.status = status;
  }
}

/** The model service or the connection ended before the answer. */
export class CutAnswerError extends ModelServiceError {}

function errorText(text: string, status: number): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === "string") return error;
  } catch {
    // Not an answer of the model service.
  }
  return `the model service answered ${String(status)}: ${text.slice(0, 200)}`;
}

/** The transport to the model service at a base URL, with a key if there is one. It and its bodies fail with ModelServiceErrors. */
export function modelTransport(url: string, key?: string): ModelTransport {
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (key !== undefined) headers.set("Authorization", `Bearer ${key}`);
    const reply = await fetch(url + path, { ...init, headers }).catch((cause: unknown) => {
      init.signal?.throwIfAborted();
      throw new ModelServiceError(
        `no model service responds at ${url}; start Hearth, or set --model-port or OLLAMA_HOST`,
        { cause },
      );
    });
    const cut = (cause: unknown) => {
      init.signal?.throwIfAborted();
      throw new CutAnswerError(`the model service at ${url} stopped before its answer was complete`, { cause });
    };
    const whole = new Response(reply.body && ReadableStream.from(bodyChunks(reply.body, cut)), reply);
    if (whole.ok) return whole;
    throw new ModelServiceError(errorText(await whole.text(), whole.status), { status: whole.status });
  }
  return {
    send,
    sendFile: async (path, body, signal) => void (await send(path, { method: "POST", body, signal })),
    refusal: (status, message) => new ModelServiceError(message, { status }),
  };
}
