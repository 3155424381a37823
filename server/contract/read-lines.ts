/**
 * The lines of a byte stream as they arrive, without line ends and empty lines; the last line needs no end. Fails when
 * the stream fails.
 * @throws RangeError for a line of more than `most` characters
 */
export async function* readLines(stream: AsyncIterable<Uint8Array>, most = Infinity): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let held = "";
  const checked = (line: string) => {
    if (line.length > most) throw new RangeError(`a line is longer than ${String(most)} characters`);
    return line;
  };
  for await (const chunk of stream) {
    // A long line comes in many pieces, so only the new part is searched.
    const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
    const lines = [held + first, ...others];
    held = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield checked(line);
    checked(held);
  }
  held += decoder.decode();
  if (held !== "") yield checked(held);
}

/**
 * The chunks of a body; leaving the loop cancels it. Not every browser has iterable streams.
 * @param failure gets what a body fails with that ends too early, and throws an error in its place
 */
export async function* bodyChunks(
  body: ReadableStream<Uint8Array>,
  failure?: (cause: unknown) => never,
): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  const next = () => reader.read().catch(failure);
  try {
    for (let read = await next(); !read.done; read = await next()) yield read.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
