import type { OperationText } from "./describe-api.ts";

/** The paragraphs that there are; the first sentence is the summary. */
export function operationText(...paragraphs: readonly (string | undefined)[]): OperationText {
  const description = paragraphs.filter((one) => one !== undefined && one !== "").join("\n\n");
  return { summary: firstSentence(description), description };
}

/** Plain text up to the first full stop, or the colon or semicolon that ends a clause. */
const firstSentence = (text: string) =>
  (/^.*?(?=[.:;](?:\s|$)|[。：；]|$)/s.exec(text)?.[0] ?? text).replaceAll("`", "");
