/** Tokenizes texts of any length in slices, so that other work can run in between, up to the tokens needed. */
import { setImmediate } from "node:timers/promises";
import type { LlamaModel, Token } from "node-llama-cpp";

/** Characters that are tokenized at once, which takes some 20 ms. Shorter texts are not sliced. */
const sliceLength = 64 * 1024;
/** How far back from the end of a slice to search for a place to cut. */
const maxLookBack = 4096;

const isLetter = (character: string) => /\p{L}/u.test(character);
const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff;

/**
 * The end of a slice that should end at `end`: between two words, where no tokenizer has a token that spans both sides;
 * in a text without words, between two characters.
 */
function cutAt(text: string, end: number): number {
  if (end >= text.length) return text.length;
  for (let at = end; at > end - maxLookBack && at > 1; at--)
    if (text[at] === " " && isLetter(text.charAt(at - 1)) && isLetter(text.charAt(at + 1))) return at;
  return isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
}

/** The starts of a text's slices. Deterministic, so that a longer text with the same prefix has the same slices. */
function sliceStarts(text: string): number[] {
  const starts: number[] = [];
  for (let at = 0; at < text.length; at = cutAt(text, at + sliceLength)) starts.push(at);
  return starts;
}

export interface TokenizeOptions {
  /** Whether texts of special tokens are parsed as these tokens. */
  readonly special: boolean;
  /** Whether to omit the leading space that some models add. */
  readonly trim?: boolean;
  /** This many tokens from each end are enough. */
  readonly most: number;
  readonly signal: AbortSignal;
}

export interface Tokenized {
  /** All tokens, or those of the beginning. */
  readonly head: readonly Token[];
  /** The tokens of the end, if the text has more tokens than needed. */
  readonly tail: readonly Token[];
  /** Number of tokens between the two, estimated from the length of the text. */
  readonly between: number;
}

/** Characters before a slice that are tokenized with it: some models add a space before any text. */
const overlap = 16;

function tokensBehind(
  model: LlamaModel,
  { before, slice, special }: { before: string; slice: string; special: boolean },
): Token[] {
  const context = model.tokenize(before, special);
  const both = model.tokenize(before + slice, special);
  const isApart = context.every((token, at) => both[at] === token);
  return isApart ? both.slice(context.length) : model.tokenize(slice, special, "trimLeadingSpace");
}

/** The slices of a text. Each is tokenized when requested. */
function slicesOf(model: LlamaModel, text: string, { special, trim = false, signal }: TokenizeOptions) {
  const starts = sliceStarts(text);
  return {
    count: starts.length,
    /** Start of the slice; the end of the text for an index after the last one. */
    startOf: (index: number) => starts[index] ?? text.length,
    async tokensOf(index: number): Promise<Token[]> {
      if (starts.length > 1) await setImmediate();
      signal.throwIfAborted();
      const slice = text.slice(starts[index], starts[index + 1]);
      const before = text.slice(Math.max(0, (starts[index] ?? 0) - overlap), starts[index]);
      return index === 0
        ? model.tokenize(slice, special, trim ? "trimLeadingSpace" : undefined)
        : tokensBehind(model, { before, slice, special });
    },
  };
}

async function readHead(slices: ReturnType<typeof slicesOf>, most: number) {
  const head: Token[] = [];
  let next = 0;
  while (next < slices.count && head.length <= most)
    for (const token of await slices.tokensOf(next++)) head.push(token);
  return { head, next };
}

/** All tokens, or the first `most` and at least one more. @throws the signal's reason when aborted */
export async function firstTokens(model: LlamaModel, text: string, options: TokenizeOptions): Promise<Token[]> {
  return (await readHead(slicesOf(model, text, options), options.most)).head;
}

/** @throws the signal's reason when aborted */
export async function bothEnds(model: LlamaModel, text: string, options: TokenizeOptions): Promise<Tokenized> {
  const slices = slicesOf(model, text, options);
  const { head, next } = await readHead(slices, options.most);
  let tail: Token[] = [];
  let last = slices.count;
  while (last > next && tail.length <= options.most) tail = [...(await slices.tokensOf(--last)), ...tail];
  const left = slices.startOf(last) - slices.startOf(next);
  const between = Math.round((left * (head.length + tail.length)) / Math.max(1, text.length - left));
  return { head, tail, between };
}
