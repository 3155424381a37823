/** The conversations, and their running answers, which continue while another page is shown. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { messageOfError } from "../../../api/http/console-error.ts";
import type { ModelClient } from "../../../../server/contract/model/model-client.ts";
import { serviceKey } from "../../../ui/services.ts";
import { isSilent, withChunk } from "./answer.ts";
import { cutAfter, showTurn, shownTurns, withTurn } from "./branches.ts";
import { chatRequestOf } from "./chat-request.ts";
import type { ChatStorage, StoredChat } from "./chat-storage.ts";
import { plainSettings, type Conversation, type Turn } from "./conversation.ts";
import { mergeConversations } from "./merge-conversations.ts";
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
  /** What is chosen for a new conversation, which begins with its first question. */
  readonly begun: BegunChat;
}

export type BegunChat = Pick<Conversation, "model" | "settings">;

export interface Chats {
  readonly store: StoreApi<ChatsState>;
  /** What has been typed and not yet said, by conversation: that of a new one under "new", and under "" until one is open. */
  readonly drafts: Map<string, string>;
  /** Loads the stored conversations, also those that another window has changed since. */
  load(): Promise<void>;
  /** Chooses for the next new conversation. */
  begin(change: Partial<BegunChat>): void;
  /** Returns the id of a new conversation; for the one after it nothing is chosen. */
  create(start: Partial<BegunChat>): string;
  change(id: string, change: Partial<Pick<Conversation, "title" | "model" | "settings">>): void;
  remove(id: string): void;
  /** Restores a removed conversation. */
  restore(conversation: Conversation): void;
  /**
   * Says `words` after the first `after` turns of the shown branch, and requests an answer. What followed these turns
   * stays as another branch. Ignored while an answer runs.
   */
  ask(id: string, model: string, after: number, newTurns: readonly Turn[]): Promise<void>;
  /** Shows the branch with the turn of this index. Ignored while an answer runs. */
  show(id: string, index: number): void;
  stop(id: string): void;
}

export const chatsKey = serviceKey<Chats>("chats");

const nothingChosen: BegunChat = { settings: plainSettings };

/** An answer under way. */
interface Running {
  readonly abort: AbortController;
  /** The conversation up to the question. */
  asked: Conversation;
}

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
  const running = new Map<string, Running>();
  /** By id, what is known to be stored of each, also of those whose removal could not be stored. */
  const stored = new Map<string, StoredChat>();
  /** The last storing of each conversation that is under way: one after another, so that the last change wins. */
  const storing = new Map<string, Promise<void>>();
  const store = createStore<ChatsState>(() => ({
    loaded: false,
    conversations: [],
    streaming: new Map(),
    errors: new Map(),
    problem: undefined,
    begun: nothingChosen,
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
  const apply = (id: string, change: (one: Conversation) => Conversation) =>
    setState({ conversations: getState().conversations.map((one) => (one.id === id ? change(one) : one)) });
  const edit = (id: string, change: Partial<Conversation>) => apply(id, (one) => ({ ...one, ...change }));
  /** Stores the conversation, or its removal; what another page has stored of it meanwhile is added to it first. */
  const save = async (id: string): Promise<void> => {
    const conversation = running.get(id)?.asked ?? find(id);
    const base = stored.get(id);
    if (!conversation) {
      await storage.remove(id);
      return void stored.delete(id);
    }
    const saved = await storage.save(conversation, base?.revision);
    if ("revision" in saved) return void stored.set(id, saved);
    const { newer } = saved;
    stored.delete(id);
    if (newer) {
      stored.set(id, newer);
      const merge = (one: Conversation) => mergeConversations(base?.conversation, one, newer.conversation);
      const answer = running.get(id);
      if (answer) answer.asked = merge(answer.asked);
      apply(id, merge);
    }
    return save(id);
  };
  /** Saves the conversation after what is under way. */
  const keep = (id: string) => {
    const work = (storing.get(id) ?? Promise.resolve())
      .then(() => attempt(() => save(id)))
      .finally(() => {
        if (storing.get(id) === work) storing.delete(id);
      });
    storing.set(id, work);
  };
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

  const answerTo = async (mine: Running, model: string) => {
    const { id, settings } = mine.asked;
    const { signal } = mine.abort;
    const edited = (said: Turn) => {
      const { turns, last } = withTurn(mine.asked, said);
      return { turns, last };
    };
    let answer: Turn = { role: "assistant", content: "", model };
    let error: string | undefined;
    let pending: ReturnType<typeof setTimeout> | undefined;
    let wait: Wait = { for: "model", since: now() };
    const isMine = () => running.get(id) === mine;
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
      for await (const chunk of chat(chatRequestOf(model, settings, shownTurns(mine.asked)), signal)) {
        answer = withChunk(answer, chunk);
        wait = waitAfter(wait, chunk, now());
        showSoon();
      }
    } catch (failure) {
      if (signal.aborted) answer = { ...answer, ended: "stopped" };
      else error = messageOfError(failure);
    }
    clearTimeout(pending);
    if (!isMine()) return;
    running.delete(id);
    const isKept = !isSilent(answer) || answer.ended === "stopped" || error === undefined;
    const { turns, last } = mine.asked;
    edit(id, { ...(isKept ? edited(answer) : { turns, last }), changedAt: now() });
    setError(id, error);
    endStreaming(id);
    keep(id);
  };

  return {
    store,
    drafts: new Map(),
    load: () =>
      attempt(async () => {
        const before = new Map(stored);
        /** Those here, and those whose removal is under way or could not be stored. */
        const known = new Set([...getState().conversations.map(({ id }) => id), ...stored.keys(), ...storing.keys()]);
        const loaded = await storage.load();
        /** Whether it is not loaded as it is here: it is changing, has been stored meanwhile, or could not be. */
        const isNewer = (one: Conversation) => {
          const { id } = one;
          const known = stored.get(id);
          return running.has(id) || storing.has(id) || known !== before.get(id) || known?.conversation !== one;
        };
        const newer = getState().conversations.filter(isNewer);
        const isRemoved = (id: string) => known.has(id) && !find(id);
        const others = loaded.filter(
          ({ conversation: { id } }) => !newer.some((one) => one.id === id) && !isRemoved(id),
        );
        for (const one of others) stored.set(one.conversation.id, one);
        const conversations = [...others.map(({ conversation }) => conversation), ...newer];
        setState({ loaded: true, conversations: conversations.toSorted(newestFirst) });
        for (const one of newer) if (!running.has(one.id) && stored.get(one.id)?.conversation !== one) keep(one.id);
        for (const id of stored.keys())
          if (!find(id) && !storing.has(id))
            if (loaded.some(({ conversation }) => conversation.id === id)) keep(id);
            else stored.delete(id);
      }),
    begin: (change) => setState({ begun: { ...getState().begun, ...change } }),
    create(start) {
      const id = createId();
      setState({ begun: nothingChosen });
      raise({ ...nothingChosen, ...start, id, turns: [], changedAt: now() });
      return id;
    },
    change(id, change) {
      edit(id, change);
      keep(id);
    },
    remove(id) {
      running.get(id)?.abort.abort();
      running.delete(id);
      setState({ conversations: getState().conversations.filter((one) => one.id !== id) });
      endStreaming(id);
      keep(id);
    },
    restore(conversation) {
      setState({ conversations: [...getState().conversations, conversation].toSorted(newestFirst) });
      keep(conversation.id);
    },
    async ask(id, model, after, newTurns) {
      const conversation = find(id);
      if (!conversation || running.has(id)) return;
      const asked = newTurns.reduce<Conversation>((chat, turn) => withTurn(chat, turn), {
        ...cutAfter(conversation, after),
        model,
        changedAt: now(),
      });
      const mine = { abort: new AbortController(), asked };
      running.set(id, mine);
      raise(asked);
      setError(id, undefined);
      keep(id);
      await answerTo(mine, model);
    },
    show(id, index) {
      const conversation = find(id);
      if (!conversation || running.has(id)) return;
      edit(id, showTurn(conversation, index));
      setError(id, undefined);
      keep(id);
    },
    stop: (id) => running.get(id)?.abort.abort(),
  };
}
