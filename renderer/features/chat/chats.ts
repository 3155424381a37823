/** The conversations, and their running answers, which continue while another page is shown. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { messageOfError } from "../../api/console-error.ts";
import type { ModelClient } from "../../../server/contract/model/model-client.ts";
import { serviceKey } from "../../ui/services.ts";
import { isSilent, withChunk } from "./answer.ts";
import { cutAfter, showTurn, shownTurns, withTurn } from "./branches.ts";
import { chatRequestOf } from "./chat-request.ts";
import type { ChatStorage } from "./chat-storage.ts";
import { plainSettings, type Conversation, type Turn } from "./conversation.ts";
import { waitAfter, type Wait } from "./wait.ts";

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
}

export interface Chats {
  readonly store: StoreApi<ChatsState>;
  /** Loads the stored conversations, also those that another window has changed since. */
  load(): Promise<void>;
  /** Returns the id of a new conversation. */
  create(start: Partial<Pick<Conversation, "model" | "settings">>): string;
  change(id: string, change: Partial<Pick<Conversation, "title" | "model" | "settings">>): void;
  remove(id: string): void;
  /** Restores a removed conversation. */
  restore(conversation: Conversation): void;
  /**
   * Says `words` after the first `after` turns of the shown branch, and requests an answer. What followed these turns
   * stays as another branch. Ignored while an answer runs.
   */
  ask(id: string, model: string, after: number, words: readonly Turn[]): Promise<void>;
  /** Shows the branch with the turn of this index. Ignored while an answer runs. */
  show(id: string, index: number): void;
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

const newestFirst = (one: Conversation, other: Conversation) => other.changedAt - one.changedAt;

export function createChats({ chat, storage, now, createId }: Deps): Chats {
  const aborts = new Map<string, AbortController>();
  /** The last storing of each conversation that is under way: one after another, so that the last change wins. */
  const storing = new Map<string, Promise<void>>();
  const store = createStore<ChatsState>(() => ({
    loaded: false,
    conversations: [],
    streaming: new Map(),
    errors: new Map(),
    problem: undefined,
  }));
  const { getState, setState } = store;

  const find = (id: string) => getState().conversations.find((one) => one.id === id);
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
      setState({ problem: undefined });
    } catch (failure) {
      setState({ problem: messageOfError(failure) });
    }
  };
  /** Stores the conversation as it is now, or its removal. */
  const keep = (id: string) => {
    const conversation = find(id);
    const work = (storing.get(id) ?? Promise.resolve())
      .then(() => attempt(() => (conversation ? storage.save(conversation) : storage.remove(id))))
      .finally(() => {
        if (storing.get(id) === work) storing.delete(id);
      });
    storing.set(id, work);
  };
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
    const { id, settings } = conversation;
    const edited = (said: Turn) => {
      const { turns, last } = withTurn(conversation, said);
      return { turns, last };
    };
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
        if (!isSilent(answer)) edit(id, edited(answer));
      }, showEveryMs);
    };
    setStreaming(id, wait);
    try {
      for await (const chunk of chat(chatRequestOf(model, settings, shownTurns(conversation)), mine.signal)) {
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
    const { turns, last } = conversation;
    edit(id, { ...(given ? edited(answer) : { turns, last }), changedAt: now() });
    setError(id, error);
    endStreaming(id);
    keep(id);
  };

  return {
    store,
    load: () =>
      attempt(async () => {
        const known = new Map(getState().conversations.map((one) => [one.id, one]));
        const stored = await storage.load();
        /** Whether it has changed here since, or still does. */
        const isNewer = ({ id }: Conversation) => aborts.has(id) || storing.has(id) || find(id) !== known.get(id);
        const conversations = [...stored.filter((one) => !isNewer(one)), ...getState().conversations.filter(isNewer)];
        setState({ loaded: true, conversations: conversations.toSorted(newestFirst) });
      }),
    create(start) {
      const id = createId();
      raise({ settings: plainSettings, ...start, id, turns: [], changedAt: now() });
      return id;
    },
    change(id, change) {
      edit(id, change);
      keep(id);
    },
    remove(id) {
      aborts.get(id)?.abort();
      aborts.delete(id);
      setState({ conversations: getState().conversations.filter((one) => one.id !== id) });
      endStreaming(id);
      keep(id);
    },
    restore(conversation) {
      setState({ conversations: [...getState().conversations, conversation].toSorted(newestFirst) });
      keep(conversation.id);
    },
    async ask(id, model, after, words) {
      const conversation = find(id);
      if (!conversation || aborts.has(id)) return;
      const mine = new AbortController();
      aborts.set(id, mine);
      const asked = words.reduce<Conversation>((chat, turn) => withTurn(chat, turn), {
        ...cutAfter(conversation, after),
        model,
        changedAt: now(),
      });
      raise(asked);
      setError(id, undefined);
      keep(id);
      await answerTo(asked, model, mine);
    },
    show(id, index) {
      const conversation = find(id);
      if (!conversation || aborts.has(id)) return;
      edit(id, showTurn(conversation, index));
      setError(id, undefined);
      keep(id);
    },
    stop: (id) => aborts.get(id)?.abort(),
  };
}
