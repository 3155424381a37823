/** The one client of Hearth's own HTTP operations, typed and checked by the schemas that the servers answer with. */
import type { z } from "zod";
import type { EndpointSpec } from "../../server/contract/endpoint.ts";
import type { Access } from "./access.ts";
import { asksForLogin, ConsoleError, messageOf } from "./console-error.ts";

/** What of an endpoint the call needs; the simulator's operations (`/sim/…`) are declared by these members alone. */
export type Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
> = Pick<EndpointSpec<Params, Query, Body, Data>, "method" | "path" | "params" | "query" | "body" | "data">;

type Given<Params, Query, Body> = {
  params?: z.input<Extract<Params, z.ZodType>>;
  query?: z.input<Extract<Query, z.ZodType>>;
  body?: z.input<Extract<Body, z.ZodType>>;
  signal?: AbortSignal | undefined;
};

/**
 * Calls an operation: its path with `params`, `query` and a JSON `body`. Resolves with its checked data; an operation that
 * answers no body resolves with undefined.
 * @throws ConsoleError for a refusal, or when there was no answer
 */
export type Call = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  operation: Operation<P, Q, B, D>,
  given?: Given<P, Q, B>,
) => Promise<z.output<D>>;

/** Sends one request to the page's own origin and answers the reply if it is a success. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Behind which path of this origin another service answers, so that the page talks to its own origin only. */
export const providerPath = "/console/api/provider";
export const modelPath = "/console/api/model";

/** Waits for a login where the server asks for one, and asks again then. @throws ConsoleError from each call */
export function createSend(fetch: typeof globalThis.fetch, access: Access): Send {
  return async (path, init = {}) => {
    for (;;) {
      await access.whenIn(init.signal);
      const since = access.now();
      const reply = await fetch(path, init).catch((error: unknown) => {
        if (init.signal?.aborted) throw error;
        throw new ConsoleError(0, error instanceof Error ? error.message : String(error));
      });
      if (reply.ok) return reply;
      const body = await reply.text();
      if (!asksForLogin(reply.status, body))
        throw new ConsoleError(reply.status, messageOf(body, `HTTP ${reply.status}`));
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
    // A body that nobody reads would keep the connection.
    const text = await reply.text();
    return operation.data ? operation.data.parse(JSON.parse(text)) : (undefined as never);
  };
}

const jsonType = { "content-type": "application/json" };

function addressOf(path: string, params: unknown): string {
  const values = (params ?? {}) as Record<string, unknown>;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  return filled.startsWith("/sim/") ? providerPath + filled : filled;
}

/** `?name=value…` of what is given; a list gives its name several times. */
export function searchOf(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== "") search.append(name, String(one));
  return search.size === 0 ? "" : `?${search.toString()}`;
}
