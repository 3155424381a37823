/** The pieces in which a streamed answer came, and the words that they say together. */
export interface Piece {
  /** Since the request came. */
  readonly ms: number;
  readonly text: string;
}

/** Cuts the bytes as they were written; a character that two writes share comes with the second. */
export function piecesOf(bytes: Uint8Array, chunks: readonly { size: number; ms: number }[]): Piece[] {
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

/** How many pieces had come at a time. */
export function arrivedBy(pieces: readonly Piece[], ms: number): number {
  let count = 0;
  while (count < pieces.length && (pieces[count]?.ms ?? 0) <= ms) count++;
  return count;
}

/** What a model says in a stream, without its wrapping, of the formats of Ollama, OpenAI and Anthropic. */
export function textIn(stream: string): string | undefined {
  let given = "";
  for (const line of stream.split("\n")) {
    const text = wordsOf(line.replace(/^data:\s*/, ""));
    if (text !== undefined) given += text;
  }
  return given === "" ? undefined : given;
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
    return undefined; // the line is not all there yet
  }
}
