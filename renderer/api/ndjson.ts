/** Parses newline-delimited JSON as it arrives, in pieces of any size. A last line without a newline also counts. */
export async function* readNdjson(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // A long line arrives in many pieces: only the new one is searched.
      const [first = "", ...others] = (done ? decoder.decode() : decoder.decode(value, { stream: true })).split("\n");
      const lines = [rest + first, ...others];
      rest = done ? "" : (lines.pop() ?? "");
      for (const line of lines) if (line.trim() !== "") yield JSON.parse(line) as unknown;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
