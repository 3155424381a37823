/** Tokens of texts of any length: in slices, between which others get their turn, and no more tokens than are needed. */
import { setImmediate } from "node:timers/promises";
import type { LlamaModel, Token } from "node-llama-cpp";

/** Characters that are tokenized at once, which takes some 20 ms. Shorter texts are taken whole. */
const sliceLength = 64 * 1024;
/** How far back from the end of a slice a place to cut is looked for. */
const inspect = 4096;

const isLetter = (character: string) => /\p{L}/u.test(character);
const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff;

/**
 * Where the slice that would end at `end` ends: between two words, where no tokenizer has a token that spans both sides;
 * in a text without words, anywhere between two characters.
 */
function cutAt(text: string, end: number): number {
  if (end >= text.length) return text.length;
  for (let at = end; at > end - inspect && at > 1; at--)
    if (text[at] === " " && isLetter(text.charAt(at - 1)) && isLetter(text.charAt(at + 1))) return at;
  return isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
}

/** Where the slices of a text begin; deterministic, so that a longer text with the same beginning has the same ones. */
function sliceStarts(text: string): number[] {
  const starts: number[] = [];
  for (let at = 0; at < text.length; at = cutAt(text, at + sliceLength)) starts.push(at);
  return starts;
}

export interface TokenizeOptions {
  /** Whether texts of special tokens become these. */
  readonly special: boolean;
  /** Whether nothing stands in front: some models put a space there. */
  readonly trim?: boolean;
  /** So many tokens are enough, from the beginning and from the end. */
  readonly most: number;
  readonly signal: AbortSignal;
}

export interface Tokenized {
  /** All of them, or those of the beginning. */
  readonly head: readonly Token[];
  /** Those of the end, of a text that has more than were needed. */
  readonly tail: readonly Token[];
  /** How many there are between the two, judged by their length. */
  readonly between: number;
}

/** Characters before a slice that are tokenized along with it: some models put a space in front of any text. */
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

/** The slices of a text, each tokenized when it is asked for. */
function slicesOf(model: LlamaModel, text: string, { special, trim = false, signal }: TokenizeOptions) {
  const starts = sliceStarts(text);
  return {
    count: starts.length,
    /** Where the slice begins; the text's end behind the last one. */
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
