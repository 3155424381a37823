/** The conversations of this browser, and their running answers, which continue while another page is shown. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { messageOfError } from "../../api/console-error.ts";
import type { ModelClient } from "../../../server/contract/model/model-client.ts";
import { serviceKey } from "../../ui/services.ts";
import { isSilent, withChunk } from "./answer.ts";
import { chatRequestOf } from "./chat-request.ts";
import {
  keepConversations,
  plainSettings,
  restoreConversations,
  type ChatStorage,
  type Conversation,
  type Turn,
} from "./conversation.ts";
import { waitAfter, type Wait } from "./wait.ts";

export interface ChatsState {
  /** The most recently changed one comes first. */
  readonly conversations: readonly Conversation[];
  /**
   * For each running answer, by conversation: the reason of the wait for its first word; undefined once that has come.
   */
  readonly streaming: ReadonlyMap<string, Wait | undefined>;
  /** By id, the error of the last answer; the question, or the partial answer, is still the last turn. */
  readonly errors: ReadonlyMap<string, string>;
}

export interface Chats {
  readonly store: StoreApi<ChatsState>;
  /** Returns the id of a new conversation. */
  create(start: Partial<Pick<Conversation, "model" | "settings">>): string;
  change(id: string, change: Partial<Pick<Conversation, "title" | "model" | "settings">>): void;
  remove(id: string): void;
  /** Restores a removed conversation. */
  restore(conversation: Conversation): void;
  /**
   * Replaces everything after the first `after` turns by `said`, and requests an answer. Ignored while an answer runs.
   */
  ask(id: string, model: string, after: number, text: readonly Turn[]): Promise<void>;
  stop(id: string): void;
}

export const chatsKey = serviceKey<Chats>("chats");

interface Deps {
  chat: ModelClient["chat"];
  storage: ChatStorage;
  now: () => number;
  createId: () => string;
}

/** Limits the updates: a fast model gives thousands of tokens a second, and a reader needs only some twenty updates. */
const showEveryMs = 50;

export function createChats({ chat, storage, now, createId }: Deps): Chats {
  const aborts = new Map<string, AbortController>();
  const store = createStore<ChatsState>(() => ({
    conversations: restoreConversations(storage),
    streaming: new Map(),
    errors: new Map(),
  }));
  const { getState, setState } = store;

  const keep = () => keepConversations(storage, getState().conversations);
  const find = (id: string) => getState().conversations.find((one) => one.id === id);
  const edit = (id: string, change: Partial<Conversation>) =>
    setState({ conversations: getState().conversations.map((one) => (one.id === id ? { ...one, ...change } : one)) });
  /** Moves the conversation to the front. */
  const raise = (conversation: Conversation) =>
    setState({ conversations: [conversation, ...getState().conversations.filter(({ id }) => id !== conversation.id)] });
  const setError = (id: string, error: string | undefined) => {
    const errors = new Map(getState().errors);
    if (error === undefined) errors.delete(id);
    else errors.set(id, error);
    setState({ errors });
  };
  const setStreaming = (id: string, wait: Wait | undefined) =>
    setState({ streaming: new Map(getState().streaming).set(id, wait) });
  const endStreaming = (id: string) =>
    setState({ streaming: new Map([...getState().streaming].filter(([one]) => one !== id)) });

  const answerTo = async (conversation: Conversation, model: string, mine: AbortController) => {
    const { id, turns, settings } = conversation;
    let answer: Turn = { role: "assistant", content: "", model };
    let error: string | undefined;
    let pending: ReturnType<typeof setTimeout> | undefined;
    let wait: Wait = { for: "model", since: now() };
    const isMine = () => aborts.get(id) === mine;
    const showSoon = () => {
      pending ??= setTimeout(() => {
        pending = undefined;
        if (!isMine()) return;
        setStreaming(id, isSilent(answer) ? wait : undefined);
        if (!isSilent(answer)) edit(id, { turns: [...turns, answer] });
      }, showEveryMs);
    };
    setStreaming(id, wait);
    try {
      for await (const chunk of chat(chatRequestOf(model, settings, turns), mine.signal)) {
        answer = withChunk(answer, chunk);
        wait = waitAfter(wait, chunk, now());
        showSoon();
      }
    } catch (failure) {
      if (mine.signal.aborted) answer = { ...answer, ended: "stopped" };
      else error = messageOfError(failure);
    }
    clearTimeout(pending);
    if (!isMine()) return;
    aborts.delete(id);
    const given = !isSilent(answer) || answer.ended === "stopped" || error === undefined;
    edit(id, { turns: given ? [...turns, answer] : turns, changedAt: now() });
    setError(id, error);
    endStreaming(id);
    keep();
  };

  return {
    store,
    create(start) {
      const id = createId();
      raise({ settings: plainSettings, ...start, id, turns: [], changedAt: now() });
      return id;
    },
    change(id, change) {
      edit(id, change);
      keep();
    },
    remove(id) {
      aborts.get(id)?.abort();
      aborts.delete(id);
      setState({ conversations: getState().conversations.filter((one) => one.id !== id) });
      endStreaming(id);
      keep();
    },
    restore(conversation) {
      const all = [...getState().conversations, conversation];
      setState({ conversations: all.toSorted((one, other) => other.changedAt - one.changedAt) });
      keep();
    },
    async ask(id, model, after, words) {
      const conversation = find(id);
      if (!conversation || aborts.has(id)) return;
      const mine = new AbortController();
      aborts.set(id, mine);
      const asked = {
        ...conversation,
        model,
        turns: [...conversation.turns.slice(0, after), ...words],
        changedAt: now(),
      };
      raise(asked);
      setError(id, undefined);
      keep();
      await answerTo(asked, model, mine);
    },
    stop: (id) => aborts.get(id)?.abort(),
  };
}
