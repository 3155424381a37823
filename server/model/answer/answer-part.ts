/** What a model's text turns out to hold, piece by piece. */

/** A call as the model wrote it; the id only where the family's markup has one. */
export interface ParsedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly id?: string | undefined;
}

/** A call that the answer's limit has cut off. */
export interface CutCall {
  readonly name: string;
  /** The arguments as JSON text, as far as it came: perhaps nothing. */
  readonly arguments: string;
  readonly id?: string | undefined;
}

/** Why an answer has ended: by itself, or by its limit. */
export type AnswerEnd = "stop" | "length";

export type AnswerPart =
  | { readonly type: "content"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "tool_call"; readonly call: ParsedCall }
  | { readonly type: "cut_call"; readonly call: CutCall };

/** Reads generated text as it comes. What may still become markup is held back until the text that follows decides. */
export interface AnswerParser {
  push(text: string): AnswerPart[];
  /** What is held back when the answer ends: it can become nothing else any more. A call that was cut is never content. */
  end(reason: AnswerEnd): AnswerPart[];
}

/** A model that has no markup: all is content. */
export const plainParser = (): AnswerParser => ({
  push: (text) => (text === "" ? [] : [{ type: "content", text }]),
  end: () => [],
});

/** A parser that collects text and then reads as much of it as can be read, at the end all. */
export const collectingParser = (
  collect: (text: string) => void,
  read: (end?: AnswerEnd) => AnswerPart[],
): AnswerParser => ({
  push(text) {
    collect(text);
    return read();
  },
  end: (reason) => read(reason),
});
