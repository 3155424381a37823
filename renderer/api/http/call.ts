/** The client of Hearth's own HTTP operations, typed and validated by the servers' schemas. */
import type { z } from "zod";
import type { EndpointSpec } from "../../../server/contract/endpoint.ts";
import { fillPath, searchOf } from "../../../server/contract/request-address.ts";
import type { LoginAccess } from "./access.ts";
import { asksForLogin, ConsoleError, fieldOf, messageOf } from "./console-error.ts";

/** The part of an endpoint that a call needs. */
export type Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
> = Pick<EndpointSpec<Params, Query, Body, Data>, "method" | "path" | "params" | "query" | "body" | "data">;

type CallInput<Params, Query, Body> = {
  params?: z.input<Extract<Params, z.ZodType>>;
  query?: z.input<Extract<Query, z.ZodType>>;
  body?: z.input<Extract<Body, z.ZodType>>;
  signal?: AbortSignal | undefined;
};

/**
 * Calls an operation: its path with `params`, `query` and a JSON `body`. Resolves with its validated data, or with
 * undefined if the operation returns no body.
 * @throws ConsoleError for a refusal, or without an answer
 */
export type Call = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  operation: Operation<P, Q, B, D>,
  input?: CallInput<P, Q, B>,
) => Promise<z.output<D>>;

/** Sends one request to the page's own origin and returns the reply if it succeeds. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Paths of this origin that are proxied to another service, so that the page only talks to its own origin. */
export const providerPath = "/console/api/provider";
export const modelPath = "/console/api/model";

/** Returns the message for a missing or incomplete answer: the browser has none for people. */
type SayFailure = (failure: "offline" | "cut") => string;

/** Returns the reply, and translates a failure of its body with `toFailure`. */
function withFailure(reply: Response, toFailure: (error: unknown) => unknown): Response {
  // A browser may give a 204 a body, but `new Response` refuses it.
  if (!reply.body || reply.status === 204) return reply;
  const reader = reply.body.getReader();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { value } = await reader.read();
        if (value) controller.enqueue(value);
        else controller.close();
      } catch (error) {
        controller.error(toFailure(error));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, reply);
}

/**
 * Waits for a login if the server requires one, then sends the request again.
 * @throws ConsoleError from each call, and from reading what it resolves with
 */
export function createSend(
  fetch: typeof globalThis.fetch,
  access: LoginAccess,
  say: SayFailure = (failure) => failure,
): Send {
  return async (path, init = {}) => {
    const toFailure = (failure: "offline" | "cut") => (error: unknown) =>
      init.signal?.aborted ? error : new ConsoleError(0, say(failure), undefined, error);
    for (;;) {
      await access.whenIn(init.signal);
      const since = access.now();
      const reply = await fetch(path, init).then(
        (answer) => withFailure(answer, toFailure("cut")),
        (error: unknown) => {
          throw toFailure("offline")(error);
        },
      );
      if (reply.ok) {
        access.confirmed();
        return reply;
      }
      const body = await reply.text();
      if (!asksForLogin(reply.status, body))
        throw new ConsoleError(reply.status, messageOf(body, `HTTP ${reply.status}`), fieldOf(body));
      access.lost(since);
    }
  };
}

export function createCall(send: Send): Call {
  return async (operation, { params, query, body, signal } = {}) => {
    const reply = await send(addressOf(operation.path, params) + searchOf(query), {
      method: operation.method,
      signal: signal ?? null,
      ...(body !== undefined && { headers: jsonType, body: JSON.stringify(body) }),
    });
    // An unread body would occupy the connection.
    const text = await reply.text();
    return operation.data ? operation.data.parse(JSON.parse(text)) : (undefined as never);
  };
}

const jsonType = { "content-type": "application/json" };

function addressOf(path: string, params: unknown): string {
  const filled = fillPath(path, params);
  return filled.startsWith("/sim/") ? providerPath + filled : filled;
}
