import { createStore } from "zustand/vanilla";
import { TaskQueue } from "../../../api/actions/task-queue.ts";
import { messageOfError } from "../../../api/http/console-error.ts";
import type { ModelClient } from "../../../../server/contract/model/model-client.ts";
import { serviceKey } from "../../../ui/services.ts";
import { AnswerStream } from "./answer-stream.ts";
import { isSilent } from "./answer.ts";
import { cutAfter, showTurn, visibleTurns, withTurn } from "./branches.ts";
import { chatRequestOf } from "./chat-request.ts";
import type { ChatStorage, StoredChat } from "./chat-storage.ts";
import { plainSettings, type Conversation, type Turn } from "./conversation.ts";
import { mergeConversations } from "./merge-conversations.ts";
import type { Wait } from "./wait.ts";

export interface ChatsState {
  /** Whether the stored conversations have been loaded. */
  readonly loaded: boolean;
  /** The most recently changed one comes first. */
  readonly conversations: readonly Conversation[];
  /**
   * For each running answer, by conversation: the reason of the wait for its first word; undefined once that has come.
   */
  readonly streaming: ReadonlyMap<string, Wait | undefined>;
  /** By id, the error of the last answer; the question, or the partial answer, is still the last turn. */
  readonly errors: ReadonlyMap<string, string>;
  /** Why the conversations could not be loaded, or the last change of one could not be stored. */
  readonly problem: string | undefined;
  /** The model and settings of the next new conversation, which begins with its first question. */
  readonly begun: BegunChat;
}

export type BegunChat = Pick<Conversation, "model" | "settings">;

export const chatsKey = serviceKey<Chats>("chats");

const noChoice: BegunChat = { settings: plainSettings };

/** An answer under way. */
interface Running {
  readonly abort: AbortController;
  /** The conversation up to the question. */
  asked: Conversation;
}

interface Deps {
  readonly chat: ModelClient["chat"];
  readonly storage: ChatStorage;
  readonly now: () => number;
  readonly createId: () => string;
}

const newestFirst = (one: Conversation, other: Conversation) => other.changedAt - one.changedAt;

/**
 * The conversations, and their running answers, which continue while another page is shown. Each change is stored after
 * the one before it, so that the last change wins; changes that another page has stored meanwhile are merged.
 */
export class Chats {
  readonly store = createStore<ChatsState>(() => ({
    loaded: false,
    conversations: [],
    streaming: new Map(),
    errors: new Map(),
    problem: undefined,
    begun: noChoice,
  }));
  /** Typed text that has not been sent, by conversation: under "new" for a new one, under "" until one is open. */
  readonly drafts = new Map<string, string>();
  readonly #deps: Deps;
  readonly #running = new Map<string, Running>();
  /** The stored version of each conversation, also of those whose removal could not be stored. */
  readonly #stored = new Map<string, StoredChat>();
  /** The conversations that are being stored. */
  readonly #saves = new Map<string, TaskQueue>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Loads the stored conversations, also those that another window has changed since. */
  load(): Promise<void> {
    return this.#attempt(async () => {
      const before = new Map(this.#stored);
      const { conversations } = this.#state;
      // Conversations whose removal is under way, or could not be stored, are known, too.
      const known = new Set([...conversations.map(({ id }) => id), ...this.#stored.keys(), ...this.#saves.keys()]);
      const loaded = await this.#deps.storage.load();
      const newer = this.#state.conversations.filter((one) => this.#isNewer(one, before));
      const others = loaded.filter(
        ({ conversation: { id } }) => !newer.some((one) => one.id === id) && (!known.has(id) || this.#find(id)),
      );
      for (const one of others) this.#stored.set(one.conversation.id, one);
      const all = [...others.map(({ conversation }) => conversation), ...newer];
      this.store.setState({ loaded: true, conversations: all.toSorted(newestFirst) });
      this.#saveAgain(newer, loaded);
    });
  }

  /** Chooses for the next new conversation. */
  begin(change: Partial<BegunChat>): void {
    this.store.setState({ begun: { ...this.#state.begun, ...change } });
  }

  /** Returns the id of a new conversation; the choice for the next one is reset. */
  create(start: Partial<BegunChat>): string {
    const id = this.#deps.createId();
    this.store.setState({ begun: noChoice });
    this.#raise({ ...noChoice, ...start, id, turns: [], changedAt: this.#deps.now() });
    return id;
  }

  change(id: string, change: Partial<Pick<Conversation, "title" | "model" | "settings">>): void {
    this.#edit(id, change);
    this.#save(id);
  }

  remove(id: string): void {
    this.stop(id);
    this.#running.delete(id);
    this.store.setState({ conversations: this.#state.conversations.filter((one) => one.id !== id) });
    this.#endStreaming(id);
    this.#save(id);
  }

  /** Restores a removed conversation. */
  restore(conversation: Conversation): void {
    this.store.setState({ conversations: [...this.#state.conversations, conversation].toSorted(newestFirst) });
    this.#save(conversation.id);
  }

  /**
   * Adds turns after the first `after` turns of the visible branch, and requests an answer. The turns that followed stay
   * as another branch. Ignored while an answer runs.
   */
  async ask(id: string, model: string, after: number, newTurns: readonly Turn[]): Promise<void> {
    const conversation = this.#find(id);
    if (!conversation || this.#running.has(id)) return;
    const asked = newTurns.reduce<Conversation>((chat, turn) => withTurn(chat, turn), {
      ...cutAfter(conversation, after),
      model,
      changedAt: this.#deps.now(),
    });
    const running = { abort: new AbortController(), asked };
    this.#running.set(id, running);
    this.#raise(asked);
    this.#setError(id, undefined);
    this.#save(id);
    await this.#answer(running, model);
  }

  /** Shows the branch with the turn of this index. Ignored while an answer runs. */
  show(id: string, index: number): void {
    const conversation = this.#find(id);
    if (!conversation || this.#running.has(id)) return;
    this.#edit(id, showTurn(conversation, index));
    this.#setError(id, undefined);
    this.#save(id);
  }

  stop(id: string): void {
    this.#running.get(id)?.abort.abort();
  }

  get #state(): ChatsState {
    return this.store.getState();
  }

  #find(id: string): Conversation | undefined {
    return this.#state.conversations.find((one) => one.id === id);
  }

  #apply(id: string, change: (one: Conversation) => Conversation): void {
    this.store.setState({ conversations: this.#state.conversations.map((one) => (one.id === id ? change(one) : one)) });
  }

  #edit(id: string, change: Partial<Conversation>): void {
    this.#apply(id, (one) => ({ ...one, ...change }));
  }

  /** Moves the conversation to the front. */
  #raise(conversation: Conversation): void {
    const others = this.#state.conversations.filter(({ id }) => id !== conversation.id);
    this.store.setState({ conversations: [conversation, ...others] });
  }

  #setError(id: string, error: string | undefined): void {
    const errors = new Map(this.#state.errors);
    if (error === undefined) errors.delete(id);
    else errors.set(id, error);
    this.store.setState({ errors });
  }

  #setStreaming(id: string, wait: Wait | undefined): void {
    this.store.setState({ streaming: new Map(this.#state.streaming).set(id, wait) });
  }

  #endStreaming(id: string): void {
    this.store.setState({ streaming: new Map([...this.#state.streaming].filter(([one]) => one !== id)) });
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.store.setState({ problem: undefined });
    } catch (failure) {
      this.store.setState({ problem: messageOfError(failure) });
    }
  }

  /** Stores the conversation, or its removal, after the changes that are being stored. */
  #save(id: string): void {
    const queue = this.#saves.get(id) ?? new TaskQueue();
    this.#saves.set(id, queue);
    void queue
      .run(() => this.#attempt(() => this.#store(id)))
      .finally(() => {
        if (queue.isIdle) this.#saves.delete(id);
      });
  }

  /** Stores the conversation, or its removal; changes that another page has stored meanwhile are merged first. */
  async #store(id: string): Promise<void> {
    const { storage } = this.#deps;
    const conversation = this.#running.get(id)?.asked ?? this.#find(id);
    const base = this.#stored.get(id);
    if (!conversation) {
      await storage.remove(id);
      return void this.#stored.delete(id);
    }
    const saved = await storage.save(conversation, base?.revision);
    if ("revision" in saved) return void this.#stored.set(id, saved);
    const { newer } = saved;
    this.#stored.delete(id);
    if (newer) {
      this.#stored.set(id, newer);
      const merge = (one: Conversation) => mergeConversations(base?.conversation, one, newer.conversation);
      const running = this.#running.get(id);
      if (running) running.asked = merge(running.asked);
      this.#apply(id, merge);
    }
    return this.#store(id);
  }

  /** Whether a conversation is changing, has been stored since `before`, or could not be stored. */
  #isNewer(conversation: Conversation, before: ReadonlyMap<string, StoredChat>): boolean {
    const { id } = conversation;
    const stored = this.#stored.get(id);
    const isBusy = this.#running.has(id) || this.#saves.has(id);
    return isBusy || stored !== before.get(id) || stored?.conversation !== conversation;
  }

  /** Retries the changes and removals that could not be stored before. */
  #saveAgain(newer: readonly Conversation[], loaded: readonly StoredChat[]): void {
    for (const one of newer)
      if (!this.#running.has(one.id) && this.#stored.get(one.id)?.conversation !== one) this.#save(one.id);
    for (const id of [...this.#stored.keys()])
      if (!this.#find(id) && !this.#saves.has(id))
        if (loaded.some(({ conversation }) => conversation.id === id)) this.#save(id);
        else this.#stored.delete(id);
  }

  async #answer(running: Running, model: string): Promise<void> {
    const { id } = running.asked;
    const stream = new AnswerStream(model, this.#deps.now, (answer, wait) => {
      if (this.#running.get(id) !== running) return;
      this.#setStreaming(id, isSilent(answer) ? wait : undefined);
      if (!isSilent(answer)) this.#edit(id, withAnswer(running.asked, answer));
    });
    this.#setStreaming(id, stream.wait);
    const request = chatRequestOf(model, running.asked.settings, visibleTurns(running.asked));
    const { signal } = running.abort;
    const { answer, error } = await stream.read(this.#deps.chat(request, signal), signal);
    if (this.#running.get(id) !== running) return;
    this.#running.delete(id);
    const isKept = !isSilent(answer) || answer.ended === "stopped" || error === undefined;
    const { turns, last } = running.asked;
    const change = isKept ? withAnswer(running.asked, answer) : { turns, last };
    this.#edit(id, { ...change, changedAt: this.#deps.now() });
    this.#setError(id, error);
    this.#endStreaming(id);
    this.#save(id);
  }
}

function withAnswer(asked: Conversation, answer: Turn): Pick<Conversation, "turns" | "last"> {
  const { turns, last } = withTurn(asked, answer);
  return { turns, last };
}
