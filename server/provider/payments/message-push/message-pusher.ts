import type { Kysely, Transaction } from "kysely";
import type { Logger } from "pino";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import type {
  SimPush,
  SimPushReceiver,
  SimPushReceiverInput,
  SimPushSecrets,
} from "../../../contract/provider/sim-message-push.ts";
import { HttpError } from "../../../http/http-error.ts";
import { askerKept, keptAsker, type Asker } from "../../../http/outgoing/asker.ts";
import type { AdjustableClock } from "../../../time/adjustable-clock.ts";
import { currentTraceparent, newSpan, runInSpan, traceColumns } from "../../../trace/span.ts";
import { Agenda } from "../agenda.ts";
import { BackgroundWork } from "../background-work.ts";
import type { NotificationPoster } from "../notifier/post-notification.ts";
import { problemOf, pushRequest, verificationRequest } from "./post-push.ts";
import { writePushMessage, type PushEvent } from "./push-events.ts";
import { PushStore } from "./push-store.ts";
import { createPushUnderTest, type PushUnderTest } from "./push-under-test.ts";
import type { PushReceiverRow, PushRow, PushTables } from "./push-tables.ts";

/** Deliveries of a message that nobody accepts: the first, and three retries. */
const mostTries = 4;
/** Pause before a retry (our choice: the platform's documentation only gives the time limit of a reply). */
const retryMs = 5_000;

interface Deps extends Pick<AdjustableClock, "now" | "wakeAt"> {
  readonly db: Kysely<PushTables>;
  readonly poster: NotificationPoster;
  readonly appId: string;
  readonly settings: () => Pick<SimPaymentSettings, "notification_timeout_ms" | "timeScale">;
  readonly log: Logger;
}

/**
 * Pushes the platform's events to the receiver of the app. A message is `pending` until the receiver accepts it
 * (`accepted`) or three retries have failed (`given_up`). A replay is one more delivery at any time; it leaves the
 * schedule as it is, unless the receiver accepts.
 */
export class MessagePusher {
  readonly #deps: Deps;
  readonly #store: PushStore;
  readonly #work: BackgroundWork;
  readonly #agenda: Agenda<number>;
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#store = new PushStore(deps.db, deps.appId);
    this.#work = new BackgroundWork({
      // The end interrupts deliveries, which go on at the next start.
      onError: (error) => this.#closed || deps.log.error({ err: error }, "a message could not be pushed"),
    });
    this.#agenda = new Agenda<number>({ wakeAt: deps.wakeAt, run: (id) => this.#work.run(this.#deliverDue(id)) });
  }

  receiver(): Promise<PushReceiverRow | undefined> {
    return this.#store.receiver();
  }

  /**
   * Stores a receiver that returns `echostr`.
   * @throws HttpError 409 for another one, 400 without a secret of which none is stored
   */
  async setReceiver(input: SimPushReceiverInput, asker: Asker): Promise<SimPushReceiver> {
    const receiver = withSecrets(input, await this.#store.receiver());
    const { echostr, url } = verificationRequest(receiver, this.#deps.now());
    const reply = await this.#post(url, asker, { method: "GET", headers: {}, body: "" });
    if (reply.kind !== "answered" || reply.status !== 200 || reply.body !== echostr) {
      const problem = reply.kind === "answered" ? "It did not return echostr." : problemOf(reply);
      const text = `The receiver was not verified. ${problem ?? ""}`.trim();
      throw new HttpError(409, "receiver_not_verified", text, { field: "url" });
    }
    await this.#store.setReceiver({ ...receiver, notify_from: keptAsker(asker) ?? null });
    return receiver;
  }

  /** The receiver, for a check. Nothing that it gets is stored. */
  async underTest(): Promise<PushUnderTest | undefined> {
    const receiver = await this.#store.receiver();
    const { now, appId } = this.#deps;
    const post = ({ url, ...message }: Parameters<NotificationPoster["post"]>[2] & { readonly url: string }) =>
      this.#post(url, askerKept(receiver?.notify_from ?? null), message);
    return receiver && createPushUnderTest({ receiver, appId, now, post });
  }

  async removeReceiver(): Promise<void> {
    await this.#store.setReceiver(undefined);
  }

  /** Sends an event in the background. Without a receiver, nothing is sent. */
  async push(event: PushEvent): Promise<number | undefined> {
    const id = await this.store(event, this.#deps.db);
    if (id !== undefined) this.send(id);
    return id;
  }

  /** Stores an event in the transaction of what it tells of. Call `send` after the commit. */
  async store(event: PushEvent, db: Kysely<PushTables> | Transaction<PushTables>): Promise<number | undefined> {
    const receiver = await this.#store.receiver(db);
    if (!receiver) return undefined;
    const { now, appId } = this.#deps;
    const created_at = now();
    const caused_by = currentTraceparent() ?? null;
    const message = writePushMessage(event, receiver.format, appId, created_at);
    const row = { event: event.event, openid: event.openid, message, created_at, caused_by };
    return this.#store.add({ ...row, state: "pending", tries: 0, due_at: created_at }, db);
  }

  send(id: number): void {
    this.#work.run(this.#deliverDue(id));
  }

  list = (): Promise<SimPush[]> => this.#store.list();
  get = (id: number): Promise<SimPush | undefined> => this.#store.get(id);

  /** Delivers a message once more. @throws HttpError 404 for another id, 409 without a receiver */
  async replay(id: number): Promise<SimPush | undefined> {
    const push = await this.#store.find(id);
    if (!push) return undefined;
    const receiver = await this.#store.receiver();
    if (!receiver) throw noReceiver();
    if (await this.#deliver(push, receiver)) await this.#store.change(id, { state: "accepted", due_at: null });
    return this.#store.get(id);
  }

  /** Plans the messages that wait for a delivery, or whose delivery was interrupted. */
  async resume(): Promise<void> {
    this.#agenda.clear();
    for (const { id, due_at, caused_by } of await this.#store.pending(this.#deps.now()))
      this.#agenda.add(due_at, id, caused_by ?? undefined);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#agenda.clear();
    this.#deps.poster.close();
    await this.#work.wait();
  }

  async #deliverDue(id: number): Promise<void> {
    const push = await this.#store.claim(id);
    if (!push) return;
    const receiver = await this.#store.receiver();
    if (receiver && (await this.#deliver(push, receiver)))
      return this.#store.change(id, { state: "accepted", tries: push.tries + 1 });
    const tries = push.tries + 1;
    if (tries >= mostTries) return this.#store.change(id, { state: "given_up", tries });
    const { now, settings } = this.#deps;
    const due_at = Math.round(now() + retryMs * settings().timeScale);
    await this.#store.change(id, { tries, due_at });
    this.#agenda.add(due_at, id, push.caused_by ?? undefined);
  }

  /** @returns whether the receiver accepted */
  #deliver(push: PushRow, receiver: PushReceiverRow): Promise<boolean> {
    return runInSpan(newSpan(push.caused_by ?? undefined), async () => {
      const { now, appId } = this.#deps;
      const at = now();
      const { url, headers, body } = pushRequest(receiver, appId, push, at);
      const reply = await this.#post(url, askerKept(receiver.notify_from), { headers, body });
      const problem = problemOf(reply) ?? null;
      await this.#store.addAttempt({
        ...{ push_id: push.id, at, url, body, problem },
        duration_ms: Math.max(0, now() - at),
        status: reply.kind === "answered" ? reply.status : 0,
        reply: reply.kind === "answered" ? reply.body : "",
        ...traceColumns(),
      });
      return problem === null;
    });
  }

  #post(url: string, asker: Asker, message: Parameters<NotificationPoster["post"]>[2]) {
    return this.#deps.poster.post(url, asker, message, this.#deps.settings().notification_timeout_ms);
  }
}

/** @throws HttpError 400 naming a secret that is neither given nor stored */
function withSecrets(
  input: SimPushReceiverInput,
  stored: SimPushSecrets | undefined,
): SimPushReceiver & SimPushSecrets {
  const secret = (name: keyof SimPushSecrets) => {
    const value = input[name] ?? stored?.[name];
    if (value === undefined) throw new HttpError(400, "bad_request", `${name} is required.`, { field: name });
    return value;
  };
  return { ...input, token: secret("token"), encoding_aes_key: secret("encoding_aes_key") };
}

export const noReceiver = () => new HttpError(409, "no_push_receiver", "Message push has no receiver.");
