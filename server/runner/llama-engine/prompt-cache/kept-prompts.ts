/** The kept states of one loaded model: restored for requests that begin alike, and written when the model is unloaded. */
import { createHash } from "node:crypto";
import { rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { LlamaContext, LlamaContextSequence, Token } from "node-llama-cpp";
import { isMissing } from "../../../file-system/is-missing.ts";
import { renameFile } from "../../../file-system/rename-file.ts";
import { fileNamesIn, stateEnd } from "../../../process/prompt-cache-files.ts";
import { commonLength } from "../sequences/sequence-pool.ts";
import type { KeptPlace, PromptCache } from "./prompt-cache.ts";
import { isSealed, readStateTokens, sealState } from "./state-file.ts";

/** With fewer tokens, evaluating them costs about as much as a file. */
const leastTokens = 256;
/** Names and tokens of a model's states are in memory. */
const mostStates = 64;
/** Writing is given up where it would take longer than this in all, at a pace that slow disks reach. */
const writeWithinMs = 2_500;
const bytesPerMs = 200_000;
/** A file also holds the tokens, and at most this much around them. */
const [bytesOfToken, bytesAround] = [4, 64];

interface KeptState {
  readonly path: string;
  readonly tokens: Int32Array;
}

/** The part of an engine's sequence that is kept. */
export type KeptSequence = Pick<
  LlamaContextSequence,
  "contextTokens" | "needsCheckpoints" | "saveStateToFile" | "loadStateFromFile" | "clearHistory"
>;

export interface KeptPromptsOptions {
  readonly cache: PromptCache;
  readonly place: KeptPlace;
  readonly context: Pick<LlamaContext, "contextSize" | "stateSize">;
}

/**
 * Whether a state serves about as well as one of these tokens: few of them are missing. One that cannot be cut serves only
 * prompts that have all of it.
 */
function serves(state: ArrayLike<number>, tokens: ArrayLike<number>, canBeCut: boolean): boolean {
  const common = commonLength(state, tokens);
  return canBeCut ? tokens.length - common < leastTokens : tokens.length === common && state.length === common;
}

/** `restore` may be called by several requests at once, `keep` once, after them. Neither throws. */
export class KeptPrompts {
  readonly #options: KeptPromptsOptions;
  readonly #reading: Promise<void>;
  #states: KeptState[] = [];

  constructor(options: KeptPromptsOptions) {
    this.#options = options;
    this.#reading = options.cache
      .inTurn(() => this.#read())
      .catch((error: unknown) => options.cache.warn("kept states of prompts cannot be read", error));
  }

  /**
   * Loads the state that has most of the prompt into the sequence, where that is a good part more than the sequence holds.
   * Returns the number of tokens gained.
   */
  async restore(sequence: KeptSequence, prompt: readonly Token[]): Promise<number> {
    await this.#reading;
    const held = commonLength(sequence.contextTokens, prompt);
    // The last token of a prompt is always evaluated.
    const most = prompt.length - 1;
    const gains = this.#states.map((state) => {
      const common = Math.min(commonLength(state.tokens, prompt), most);
      const isOfUse = !sequence.needsCheckpoints || common === state.tokens.length;
      return { state, gain: isOfUse ? common - held : 0 };
    });
    for (const { state, gain } of gains.filter((one) => one.gain >= leastTokens).sort((a, b) => b.gain - a.gain))
      if (await this.#load(state, sequence)) return gain;
    return 0;
  }

  /** Writes the states of these sequences. @param sequences most recently used first */
  keep(sequences: readonly KeptSequence[]): Promise<void> {
    const { cache } = this.#options;
    const until = performance.now() + writeWithinMs;
    return cache
      .inTurn(() => this.#keepAll(sequences, until))
      .catch((error: unknown) => cache.warn("states of prompts cannot be kept", error));
  }

  async #read(): Promise<void> {
    const { place, context } = this.#options;
    const names = fileNamesIn(place.folder).filter((name) => name.startsWith(place.prefix) && name.endsWith(stateEnd));
    for (const path of names.map((name) => join(place.folder, name))) {
      const tokens = await readStateTokens(path, context.contextSize);
      if (tokens === undefined) await this.#drop(path);
      else this.#states.push({ path, tokens });
    }
  }

  async #drop(path: string): Promise<void> {
    this.#states = this.#states.filter((state) => state.path !== path);
    await rm(path, { force: true });
  }

  /** Returns false for a state that is damaged, of another installation, or gone. */
  async #load({ path }: KeptState, sequence: KeptSequence): Promise<boolean> {
    const { cache, place } = this.#options;
    try {
      if (!(await isSealed(path, place.seal))) throw new Error(`${path} is damaged, or of another installation`);
      await sequence.clearHistory();
      await sequence.loadStateFromFile(path, { acceptRisk: true });
      const now = new Date();
      await utimes(path, now, now).catch(() => undefined);
      return true;
    } catch (error) {
      if (!isMissing(error)) cache.warn("a kept state of a prompt is not used", error);
      await this.#drop(path).catch((failure: unknown) => cache.warn("it cannot be deleted", failure));
      // A load that was cut off leaves the sequence in an unknown state.
      await sequence.clearHistory();
      return false;
    }
  }

  async #keepAll(sequences: readonly KeptSequence[], until: number): Promise<void> {
    const { cache, place, context } = this.#options;
    if (!cache.isKept(place)) return;
    const tokens = sequences.reduce((sum, { contextTokens }) => sum + contextTokens.length, 0);
    const bytesPerToken = context.stateSize / tokens;
    const now = Date.now();
    for (const [index, sequence] of sequences.slice(0, mostStates).entries()) {
      const { length } = sequence.contextTokens;
      const bytes = Math.ceil(length * (bytesPerToken + bytesOfToken)) + bytesAround;
      if (length < leastTokens || performance.now() + bytes / bytesPerMs > until) continue;
      await this.#keepOne(sequence, bytes, new Date(now - index));
    }
  }

  async #keepOne(sequence: KeptSequence, bytes: number, usedAt: Date): Promise<void> {
    const { cache, place } = this.#options;
    const tokens = Int32Array.from(sequence.contextTokens);
    const canBeCut = !sequence.needsCheckpoints;
    const alike = this.#states.find((state) => serves(state.tokens, tokens, canBeCut));
    if (alike !== undefined) return void (await utimes(alike.path, usedAt, usedAt).catch(() => undefined));
    // They are the same conversation, before its last turns.
    const earlier = this.#states.filter((state) =>
      canBeCut ? serves(tokens, state.tokens, true) : commonLength(tokens, state.tokens) === state.tokens.length,
    );
    for (const { path } of earlier) await this.#drop(path);
    if (!(await cache.makeRoom(bytes, usedAt.getTime()))) return;
    const digest = createHash("sha256").update(tokens).digest("hex").slice(0, 16);
    const path = join(place.folder, `${place.prefix}${digest}${stateEnd}`);
    const draft = `${path}.part`;
    try {
      await sequence.saveStateToFile(draft);
      await sealState(draft, place.seal);
      await utimes(draft, usedAt, usedAt);
      await renameFile(draft, path);
      this.#states.push({ path, tokens });
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
}
