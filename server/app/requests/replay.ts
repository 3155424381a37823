/** Sends a recorded or a new request to a service over HTTP, with the secrets restored. */
import { message } from "../../contract/messages/message.ts";
import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { isMadeAnew, type NewRequest, type Replay } from "../../contract/console/traffic/replay.ts";
import type { RecordedBody, RecordedRequest, RequestService } from "../../contract/console/traffic/requests.ts";
import { isForwardingHeader } from "../../http/connection/peer/caller.ts";
import { refuse } from "../../http/http-error.ts";
import { forwardedFor, type Asker } from "../../http/outgoing/asker.ts";
import { headerOf } from "./recorded-request.ts";
import type { Recording } from "./recording.ts";
import type { SecretNames } from "./secrets/secret-names.ts";
import { textFormOf, formOfAddresses, replaceSecrets, type Replace } from "./secrets/secret-text.ts";
import type { SecretVault } from "./secrets/secret-vault.ts";

export interface ReplayDeps {
  readonly recording: Recording;
  /** The user of a session, where it is still known. */
  readonly userOfSession: (sessionId: number) => Promise<number | undefined>;
  /** Starts a session of a user; undefined when the user no longer exists. */
  readonly beginSession: (userId: number) => Promise<{ token: string; end: () => Promise<void> } | undefined>;
  /** The run's console token. The simulator requires it of other machines. */
  readonly consoleToken: string;
  /** Base URL of a service; undefined while it is down. */
  readonly baseUrl: (service: RequestService) => string | undefined;
}

/** A body in the encoding in which its secrets were found, and are put back in: bytes that are no text in Latin-1. */
interface Body {
  readonly text: string;
  readonly encoding: "utf8" | "latin1";
}

interface Message {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: Body;
}

const pathOf = (target: string) => target.split("?", 1)[0] ?? target;

const newBody = (body: unknown): Body => ({
  text: typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body),
  encoding: "utf8",
});
const recordedBody = ({ text, base64 }: RecordedBody): Body =>
  base64 === undefined
    ? { text: text ?? "", encoding: "utf8" }
    : { text: Buffer.from(base64, "base64").toString("latin1"), encoding: "latin1" };
const isSentAsJson = (body: unknown) => body !== undefined && typeof body !== "string";
const jsonType = { name: "Content-Type", value: "application/json" };

function newMessage({ method, path, headers, body }: NewRequest): Message {
  const list = Object.entries(headers).map(([name, value]) => ({ name, value }));
  const isTyped = headerOf(list, "content-type") !== undefined;
  const all = isSentAsJson(body) && !isTyped ? [...list, jsonType] : list;
  return { method, target: path, headers: all, body: newBody(body) };
}

/** Applies the changes to the recorded request. @throws HttpError 409 when its body was not kept and is not replaced */
function changedMessage(recorded: RecordedRequest, change: Replay): Message {
  const { body } = recorded.request;
  // The replay comes from whoever repeats the request, not from the proxy that passed on the original.
  const isKept = (name: string) => !isMadeAnew(name) && !isForwardingHeader(name.toLowerCase());
  const kept = recorded.request.headers.filter(({ name }) => isKept(name));
  const set = new Map(
    Object.entries(change.headers ?? {}).map(([name, value]) => [name.toLowerCase(), { name, value }]),
  );
  if (isSentAsJson(change.body) && !set.has("content-type")) set.set("content-type", jsonType);
  if (change.body === undefined && body.size > 0 && (body.truncated || body.withheld !== undefined))
    throw refuse("replay.body", { why: body.withheld ?? message("replay.beginning") });
  return {
    method: change.method ?? recorded.method,
    target: change.path ?? recorded.path + (recorded.query === "" ? "" : `?${recorded.query}`),
    headers: [
      ...kept.filter(({ name }) => !set.has(name.toLowerCase())),
      ...[...set.values()].flatMap(({ name, value }) => (value === null ? [] : [{ name, value }])),
    ],
    body: change.body === undefined ? recordedBody(body) : newBody(change.body),
  };
}

const sessionPattern = /\{\{session:(\d{1,15})\}\}/g;

/** The ids of the sessions that a message refers to. */
const sessionsIn = ({ target, headers, body }: Message) =>
  new Set(
    [target, ...headers.map(({ value }) => value), body.text].flatMap((text) =>
      [...text.matchAll(sessionPattern)].map(([, id]) => Number(id)),
    ),
  );

/** Restores secrets in fields whose names are secret. Elsewhere a reference is plain text. */
function revealed(
  message: Message,
  names: SecretNames,
  vault: SecretVault,
  tokens: ReadonlyMap<number, string>,
): Message {
  const reveal: Replace = (name, raw, plain, quoted) => {
    const session = /^\{\{session:(\d{1,15})\}\}$/.exec(plain)?.[1];
    const token = session === undefined ? undefined : tokens.get(Number(session));
    if (token !== undefined) return quoted ? JSON.stringify(token) : token;
    if (!/^\{\{[\w-]+:[\w.]+\}\}$/.test(plain)) return raw;
    const value = vault.find(plain);
    if (value === undefined) throw refuse("replay.secret", { secret: plain, name });
    return value;
  };
  const { text, encoding } = message.body;
  const form = textFormOf(headerOf([...message.headers], "content-type") ?? "", text);
  return {
    method: message.method,
    target: replaceSecrets(message.target, formOfAddresses, names.field, reveal),
    headers: message.headers.map(({ name, value }) => {
      if (!names.header(name)) return { name, value: replaceSecrets(value, formOfAddresses, names.header, reveal) };
      const [, scheme = "", rest = value] = /^([A-Za-z]+ +)?([^]*)$/.exec(value) ?? [];
      return { name, value: scheme + reveal(name, rest, rest, false) };
    }),
    body: { text: replaceSecrets(text, form, names.field, reveal), encoding },
  };
}

/** Sends a message and reads the answer to its end. */
function send(message: Message, baseUrl: string, requestId: string, left: AbortSignal): Promise<void> {
  const { hostname, port, host } = new URL(baseUrl);
  const body = Buffer.from(message.body.text, message.body.encoding);
  const headers = [
    ...(headerOf([...message.headers], "host") === undefined ? ["Host", host] : []),
    ...["Connection", "close", "X-Request-Id", requestId],
    ...(body.length > 0 ? ["Content-Length", String(body.length)] : []),
    ...message.headers.flatMap(({ name, value }) => [name, value]),
  ];
  return new Promise((resolve, reject) => {
    const { method, target: path } = message;
    const outgoing = request({ hostname: hostname.replace(/^\[|\]$/g, ""), port, method, path, headers, signal: left });
    outgoing.once("response", (response) => response.once("close", resolve).resume());
    outgoing.once("error", (cause) => {
      if (left.aborted) reject(refuse("replay.left", undefined, { retryAfter: 1, cause }));
      else resolve(); // a cut connection is an outcome too, and the record shows it
    });
    outgoing.end(body);
  });
}

/** The longest wait for the record of an answered request. */
const recordedWithinMs = 5_000;

interface Sending {
  readonly service: RequestService;
  readonly message: Message;
  readonly replayed?: RecordedRequest;
  readonly asker: Asker;
  /** Aborted when the caller has left. */
  readonly left: AbortSignal;
}

/**
 * Sends the request and returns the id of the new record.
 * @throws HttpError 400 for a path that is not recorded, 409 for a request that cannot be restored, 503 when it was not
 * recorded
 */
export function createReplay({ recording, userOfSession, beginSession, consoleToken, baseUrl }: ReplayDeps) {
  async function tokensOf({ service, message, replayed }: Sending, ends: (() => Promise<void>)[]) {
    const tokens = new Map<number, string>();
    if (service !== "app") return tokens; // the other services have no sessions
    for (const id of sessionsIn(message)) {
      const own = replayed?.session_id === id ? Number(replayed.uid?.slice(1)) : undefined;
      const userId = own ?? recording.store.userOfSession(id) ?? (await userOfSession(id));
      const session = userId === undefined ? undefined : await beginSession(userId);
      if (!session) throw refuse("replay.user", { id });
      tokens.set(id, session.token);
      ends.push(session.end);
    }
    return tokens;
  }

  async function run(sending: Sending): Promise<number> {
    const { service, message, replayed, left } = sending;
    const path = pathOf(message.target);
    if (recording.isIgnored(service, path)) throw refuse("replay.path", { path }, { field: "path" });
    const url = baseUrl(service);
    if (url === undefined) throw refuse("replay.down", { service }, { retryAfter: 2 });
    const ends: (() => Promise<void>)[] = [];
    try {
      const tokens = await tokensOf(sending, ends);
      const complete = revealed(message, recording.secretNames(service, path), recording.vault, tokens);
      const passedOn = { ...complete, headers: [...complete.headers, ...headersFor(sending, path)] };
      const requestId = `${replayed ? "replay" : "console"}-${randomUUID()}`;
      const stored = recording.recorder.expect(requestId, replayed?.id);
      await send(passedOn, url, requestId, left);
      const id = await Promise.race([stored, setTimeout(recordedWithinMs, undefined, { ref: false })]);
      if (id !== undefined) return id;
      recording.recorder.forget(requestId);
      throw refuse("replay.unrecorded", undefined, { retryAfter: 1 });
    } finally {
      for (const end of ends) await end();
    }
  }

  /** Headers that the service requires from callers on another machine. */
  function headersFor({ service, message, asker }: Sending, path: string): Message["headers"] {
    const passedOn = Object.entries(forwardedFor(asker)).map(([name, value]) => ({ name, value }));
    const controls = passedOn.length > 0 && service === "provider" && /^\/sim(?:\/|$)/i.test(path);
    if (!controls || headerOf([...message.headers], "authorization") !== undefined) return passedOn;
    return [...passedOn, { name: "Authorization", value: `Bearer ${consoleToken}` }];
  }

  function requireRecording(): void {
    if (!recording.isOn) throw refuse("replay.off");
  }

  return {
    async again(replayed: RecordedRequest, change: Replay, asker: Asker, left: AbortSignal): Promise<number> {
      requireRecording();
      return run({ service: replayed.service, message: changedMessage(replayed, change), replayed, asker, left });
    },
    async anew(request: NewRequest, asker: Asker, left: AbortSignal): Promise<number> {
      requireRecording();
      return run({ service: request.service, message: newMessage(request), asker, left });
    },
  };
}
