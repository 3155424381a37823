/**
 * The lines of a byte stream as they arrive, without line ends and empty lines; the last line needs no end. Fails when
 * the stream fails.
 */
export async function* readLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let held = "";
  for await (const chunk of stream) {
    // A long line comes in many pieces, so only the new part is searched.
    const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
    const lines = [held + first, ...others];
    held = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
  held += decoder.decode();
  if (held !== "") yield held;
}

/** The chunks of a body; leaving the loop cancels it. Not every browser has iterable streams. */
export async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
