/** The kept states of one loaded model: restored for requests that begin alike, and written when the model is unloaded. */
import { createHash } from "node:crypto";
import { rm, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import type { LlamaContext, LlamaContextSequence, Token } from "node-llama-cpp";
import { isMissing } from "../../../file-system/is-missing.ts";
import { renameFile } from "../../../file-system/rename-file.ts";
import { keptFilesIn, stateEnd } from "../../../process/prompt-cache-files.ts";
import { commonLength } from "../sequences/sequence-pool.ts";
import type { KeptPlace, PromptCache } from "./prompt-cache.ts";
import { isSealed, readStateTokens, sealState } from "./state-file.ts";

/** With fewer tokens, evaluating them costs about as much as a file. */
const leastTokens = 256;
/**
 * A restored prompt is evaluated from the beginning of a batch on, so that its text is the one without a restored state: the
 * engine's sums depend on the number of tokens in a batch. Larger batches would discard too much.
 */
const longestBatch = 512;
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
  | "contextTokens"
  | "needsCheckpoints"
  | "saveStateToFile"
  | "loadStateFromFile"
  | "eraseContextTokenRanges"
  | "clearHistory"
>;

export interface KeptPromptsOptions {
  readonly cache: PromptCache;
  readonly place: KeptPlace;
  readonly context: Pick<LlamaContext, "contextSize" | "batchSize" | "stateSize">;
}

/**
 * Whether a state serves about as well as one of these tokens: few of them are missing. One that cannot be cut serves only
 * prompts that have all of it.
 */
function serves(state: ArrayLike<number>, tokens: ArrayLike<number>, canBeCut: boolean): boolean {
  const common = commonLength(state, tokens);
  return canBeCut ? tokens.length - common < leastTokens : tokens.length === common && state.length === common;
}

/**
 * `restore` may be called by several requests at once, `keep` once, after them. A state that cannot be used or written is a line in the
 * log; `restore` throws only where the sequence cannot be emptied.
 */
export class KeptPrompts {
  readonly #options: KeptPromptsOptions;
  readonly #reading: Promise<void>;
  /** The least recently written first. */
  #states: KeptState[] = [];

  constructor(options: KeptPromptsOptions) {
    this.#options = options;
    this.#reading = this.#read();
  }

  /**
   * Loads the state that has most of the prompt into the sequence, where that is a good part more than the sequence holds.
   * Returns the number of tokens gained.
   */
  async restore(sequence: KeptSequence, prompt: readonly Token[]): Promise<number> {
    await this.#reading;
    if (this.#states.length === 0) return 0;
    const held = commonLength(sequence.contextTokens, prompt);
    const found = this.#states.map((state) => ({ state, length: this.#usableLength(state, sequence, prompt) }));
    const useful = found.filter(({ length }) => length - held >= leastTokens).sort((a, b) => b.length - a.length);
    for (const { state, length } of useful) if (await this.#load(state, sequence, length)) return length - held;
    return 0;
  }

  /** Writes the states of these sequences. @param sequences most recently used first */
  keep(sequences: readonly KeptSequence[]): Promise<void> {
    const { cache } = this.#options;
    const until = performance.now() + writeWithinMs;
    return cache
      .inTurn(() => this.#keepAll(sequences, until))
      .catch((error: unknown) => cache.warn("prompt states cannot be stored", error));
  }

  async #read(): Promise<void> {
    const { place, context } = this.#options;
    for (const { path } of keptFilesIn(place.folder)) {
      if (!basename(path).startsWith(place.prefix)) continue;
      const tokens = await readStateTokens(path, context.contextSize).catch(() => undefined);
      if (tokens === undefined) await this.#drop(path);
      else this.#states.push({ path, tokens });
    }
  }

  async #drop(path: string): Promise<void> {
    this.#states = this.#states.filter((state) => state.path !== path);
    await rm(path, { force: true }).catch((error: unknown) =>
      this.#options.cache.warn("a prompt state cannot be deleted", error),
    );
  }

  /** How many tokens of the prompt need no evaluation with the state. The last one of a prompt always does. */
  #usableLength({ tokens }: KeptState, { needsCheckpoints }: KeptSequence, prompt: readonly Token[]): number {
    const common = Math.min(commonLength(tokens, prompt), prompt.length - 1);
    if (needsCheckpoints) return common === tokens.length ? common : 0;
    const batch = Math.min(this.#options.context.batchSize, longestBatch);
    return common - (common % batch);
  }

  /**
   * Loads the beginning of a state. Returns false for a state that is damaged, of another installation, or gone.
   */
  async #load({ path, tokens }: KeptState, sequence: KeptSequence, length: number): Promise<boolean> {
    const { cache, place } = this.#options;
    try {
      if (!(await isSealed(path, place.seal))) throw new Error(`${path} is damaged, or of another installation`);
      await sequence.clearHistory();
      await sequence.loadStateFromFile(path, { acceptRisk: true });
      if (length < tokens.length) await sequence.eraseContextTokenRanges([{ start: length, end: tokens.length }]);
      const now = new Date();
      await utimes(path, now, now).catch(() => undefined);
      return true;
    } catch (error) {
      if (!isMissing(error)) cache.warn("a stored prompt state is not used", error);
      await this.#drop(path);
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
    for (const [index, sequence] of sequences.entries()) {
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
    if (!(await cache.makeRoom(bytes, usedAt.getTime(), new Set(earlier.map(({ path }) => path))))) return;
    const digest = createHash("sha256").update(tokens).digest("hex").slice(0, 16);
    const path = join(place.folder, `${place.prefix}${digest}${stateEnd}`);
    const draft = `${path}.part`;
    try {
      await sequence.saveStateToFile(draft);
      await sealState(draft, place.seal);
      await utimes(draft, usedAt, usedAt);
      await renameFile(draft, path);
      this.#states.push({ path, tokens });
      const tooMany = this.#states.slice(0, Math.max(0, this.#states.length - mostStates));
      for (const state of new Set([...earlier, ...tooMany])) await this.#drop(state.path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
}
