/** The parts of a model's text, as they are recognised. */

/** A call as the model wrote it; the id only where the family's markup has one. */
export interface ParsedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly id?: string | undefined;
}

/** A call that the answer's limit has cut off. */
export interface CutCallPart {
  readonly name: string;
  /** The arguments as JSON text so far, possibly empty. */
  readonly arguments: string;
  readonly id?: string | undefined;
}

/** Why an answer ended: by itself, or by its limit. */
export type AnswerEnd = "stop" | "length";

export type AnswerPart =
  | { readonly type: "content"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | {
      readonly type: "tool_call";
      readonly call: ParsedCall;
      /** Whether the model missed its own markup. */
      readonly isRecovered?: boolean;
    }
  | { readonly type: "cut_call"; readonly call: CutCallPart };

/** Parses generated text as it comes. Possible markup is held back until the following text decides. */
export interface AnswerParser {
  push(text: string): AnswerPart[];
  /**
   * Returns the held text at the end of the answer, when it can no longer become markup. A truncated call never becomes
   * content.
   */
  end(reason: AnswerEnd): AnswerPart[];
}

/** A parser that collects text and parses as much as possible, at the end all of it. */
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

/** A step of a parser makes progress, or waits for more text. */
export type ParseStep = "again" | "wait";
