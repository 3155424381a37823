/** The client of a running Hearth for actions: its application server, its console's API and its simulator. */
import type { z } from "zod";
import { byConsoleHeader } from "../contract/console/by-console.ts";
import type { Overview } from "../contract/console/console.ts";
import { carriesPackage, type EndpointSpec } from "../contract/endpoint.ts";
import { errorBodySchema } from "../contract/error-body.ts";
import { parseJson } from "../contract/parse-json.ts";
import { bodyChunks, readLines } from "../contract/read-lines.ts";
import { fillPath, searchOf } from "../contract/request-address.ts";
import { ActionError } from "./action-error.ts";

export interface HearthAddresses extends Pick<Overview["addresses"], "app" | "provider"> {
  /** The run's console token. */
  readonly consoleToken: string;
}

type Operation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType> = Pick<
  EndpointSpec<P, Q, B, D>,
  "method" | "path" | "access" | "params" | "query" | "body" | "data"
>;

interface CallInput<Params, Query, Body> {
  readonly params?: z.input<Extract<Params, z.ZodType>>;
  readonly query?: z.input<Extract<Query, z.ZodType>>;
  readonly body?: z.input<Extract<Body, z.ZodType>>;
  /** The session token of the user who calls, for operations of clients. */
  readonly token?: string;
  /** The stream begins with what was stored after this event. */
  readonly lastEventId?: string | undefined;
  readonly signal?: AbortSignal;
}

/** A server-sent event. */
export interface StreamEvent {
  readonly name: string;
  readonly data: unknown;
}

const notRunning = (origin: string, cause: unknown) =>
  new ActionError(`Hearth does not respond at ${origin}: ${(cause as Error).message}`);

export class HearthApi {
  readonly #locate: () => Promise<HearthAddresses>;
  #addresses: Promise<HearthAddresses> | undefined;

  /** @param locate finds the running Hearth; called for the first request only */
  constructor(locate: () => Promise<HearthAddresses>) {
    this.#locate = locate;
  }

  addresses(): Promise<HearthAddresses> {
    return (this.#addresses ??= this.#locate());
  }

  /**
   * Calls an operation: console operations with the console token, control operations at the simulator, and those of
   * clients with `token`. @returns its validated data @throws ActionError for a refusal, or without an answer
   */
  async call<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
    operation: Operation<P, Q, B, D>,
    input: CallInput<P, Q, B> = {},
  ): Promise<z.output<D>> {
    const reply = await this.#send(operation, input);
    const text = await reply.text();
    if (!operation.data) return undefined as never;
    const body: unknown = JSON.parse(text);
    return operation.data.parse(carriesPackage(operation) ? (body as { data: unknown }).data : body);
  }

  /** The server-sent events of an operation until the signal aborts. @throws ActionError when the stream ends */
  async *stream<P extends z.ZodType, Q extends z.ZodType>(
    operation: Operation<P, Q, z.ZodType, z.ZodType>,
    input: CallInput<P, Q, z.ZodType> & { readonly signal: AbortSignal },
  ): AsyncGenerator<StreamEvent, void> {
    const reply = await this.#send(operation, input).catch((error: unknown) => {
      if (!input.signal.aborted) throw error;
    });
    if (!reply) return;
    const chunks = bodyChunks(reply.body ?? new ReadableStream<Uint8Array>(), (cause) => {
      throw cause;
    });
    let name = "message";
    try {
      for await (const line of readLines(chunks)) {
        const [, field, value = ""] = /^(event|data): ?(.*)$/.exec(line) ?? [];
        if (field === "event") name = value;
        if (field === "data") yield { name, data: parseJson(value) };
      }
    } catch (error) {
      if (!input.signal.aborted) throw notRunning((await this.addresses()).app, error);
      return;
    }
    throw new ActionError("Hearth has ended.");
  }

  async #send(
    { method, path, access }: Pick<EndpointSpec, "method" | "path" | "access">,
    { params, query, body, token, lastEventId, signal }: CallInput<z.ZodType, z.ZodType, z.ZodType>,
  ): Promise<Response> {
    const { app, provider, consoleToken } = await this.addresses();
    const origin = access === "control" ? provider : app;
    const bearer = access === "console" ? consoleToken : token;
    const reply = await fetch(origin + fillPath(path, params) + searchOf(query), {
      method,
      headers: {
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
        ...(lastEventId !== undefined && { "Last-Event-ID": lastEventId }),
        // Calls on behalf of a client are recorded as the client's.
        ...(token === undefined && { [byConsoleHeader]: "1" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      throw signal?.aborted === true ? error : notRunning(origin, error);
    });
    if (reply.ok) return reply;
    throw new ActionError(refusalIn(await reply.text(), reply.status), { status: reply.status });
  }
}

function refusalIn(text: string, status: number): string {
  const { data } = errorBodySchema.safeParse(parseJson(text));
  return data?.Message ?? `HTTP ${String(status)}: ${text.slice(0, 200)}`;
}
