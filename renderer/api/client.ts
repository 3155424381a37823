/** The console's own API, typed by the schemas that the server answers with. */
import type { z } from "zod";
import { eventPageSchema, overviewSchema, tokenSchema, uploadPageSchema } from "../../server/contract/console.ts";
import type { EventPage, Overview, UploadPage } from "../../server/contract/console.ts";
import type { ServiceName } from "../../server/contract/services.ts";
import { ConsoleError, messageOf } from "./console-error.ts";

export interface PageRequest {
  /** Only what is older than this id. */
  before?: string;
  limit: number;
  /** Only events of this type. */
  type?: string;
}

export interface ConsoleClient {
  getOverview(signal?: AbortSignal): Promise<Overview>;
  /** Restarts a service; `port` moves it there for this run. Accepted, not finished, when the promise resolves. */
  restartService(name: ServiceName, port?: number): Promise<void>;
  listEvents(page: PageRequest, signal?: AbortSignal): Promise<EventPage>;
  listUploads(page: PageRequest, signal?: AbortSignal): Promise<UploadPage>;
  /** Logs the console's simulated user in completely and answers its session token. */
  createToken(): Promise<string>;
}

/** Where the bytes of an upload are. */
export const uploadContentPath = (id: number): string => `/console/api/uploads/${id}/content`;

/** @throws ConsoleError from every method. */
export function createConsoleClient(fetch: typeof globalThis.fetch): ConsoleClient {
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const reply = await fetch(`/console/api${path}`, init).catch((error: unknown) => {
      if (init.signal?.aborted) throw error;
      throw new ConsoleError(0, error instanceof Error ? error.message : String(error));
    });
    if (!reply.ok) throw new ConsoleError(reply.status, messageOf(await reply.text(), `HTTP ${reply.status}`));
    return reply;
  };
  const get = async <T extends z.ZodType>(schema: T, path: string, signal?: AbortSignal): Promise<z.output<T>> =>
    schema.parse(await (await send(path, { signal: signal ?? null })).json());
  const post = (path: string, body: object): Promise<Response> =>
    send(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

  return {
    getOverview: (signal) => get(overviewSchema, "/overview", signal),
    restartService: async (name, port) =>
      void (await post(`/services/${name}/restarts`, port === undefined ? {} : { port })),
    listEvents: (page, signal) => get(eventPageSchema, `/events?${query(page)}`, signal),
    listUploads: (page, signal) => get(uploadPageSchema, `/uploads?${query(page)}`, signal),
    createToken: async () => tokenSchema.parse(await (await post("/tokens", {})).json()).access_token,
  };
}

function query({ before, limit, type }: PageRequest): string {
  const search = new URLSearchParams({ limit: String(limit) });
  if (before !== undefined) search.set("before", before);
  if (type !== undefined) search.set("type", type);
  return search.toString();
}
