/** The pieces of a streamed answer, and their joined text. */
export interface Piece {
  /** Since the request came. */
  readonly ms: number;
  readonly text: string;
}

/** Splits the bytes by writes; a character split over two writes belongs to the second. */
export function streamPieces(bytes: Uint8Array, chunks: readonly { size: number; ms: number }[]): Piece[] {
  const decoder = new TextDecoder();
  let at = 0;
  const pieces = chunks.map(({ size, ms }) => {
    const text = decoder.decode(bytes.subarray(at, at + size), { stream: true });
    at += size;
    return { ms, text };
  });
  const rest = decoder.decode(bytes.subarray(at));
  const last = pieces.at(-1);
  return last && rest !== "" ? [...pieces.slice(0, -1), { ...last, text: last.text + rest }] : pieces;
}

/** The number of pieces received by a time. */
export function arrivedBy(pieces: readonly Piece[], ms: number): number {
  let count = 0;
  while (count < pieces.length && (pieces[count]?.ms ?? 0) <= ms) count++;
  return count;
}

/** The model's text in a stream of Ollama's, OpenAI's or Anthropic's format. */
export function textIn(stream: string): string | undefined {
  let joined = "";
  for (const line of stream.split("\n")) {
    const text = wordsOf(line.replace(/^data:\s*/, ""));
    if (text !== undefined) joined += text;
  }
  return joined === "" ? undefined : joined;
}

interface StreamedWords {
  response?: unknown;
  message?: { content?: unknown };
  choices?: readonly { delta?: { content?: unknown }; text?: unknown }[];
  delta?: unknown;
}

function wordsOf(json: string): string | undefined {
  if (!json.startsWith("{")) return undefined;
  try {
    const { response, message, choices, delta } = JSON.parse(json) as StreamedWords;
    const [choice] = choices ?? [];
    const inDelta = typeof delta === "object" && delta !== null ? (delta as { text?: unknown }).text : delta;
    return [response, message?.content, choice?.delta?.content, choice?.text, inDelta].find(
      (words): words is string => typeof words === "string",
    );
  } catch {
    return undefined; // the line is incomplete
  }
}
