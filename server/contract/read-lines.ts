/**
 * The lines of a byte stream as they arrive, without their ends and without empty ones; a last line needs no end. Fails as the
 * stream fails.
 */
export async function* readLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let held = "";
  for await (const chunk of stream) {
    // A line that is long comes in many pieces: only what is new is looked through.
    const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
    const lines = [held + first, ...others];
    held = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
  held += decoder.decode();
  if (held !== "") yield held;
}

/** The pieces of a body; who stops reading cancels it. Not every browser has streams that are iterable themselves. */
export async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
