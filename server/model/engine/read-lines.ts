import { StringDecoder } from "node:string_decoder";

/** The lines of a byte stream, without their ends; a last line needs none. Fails as the stream fails. */
export async function* readLines(stream: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  const decoder = new StringDecoder("utf8");
  let held = "";
  for await (const chunk of stream) {
    // A line that is long comes in many pieces: only what is new is looked through.
    const [first = "", ...others] = decoder.write(chunk).split("\n");
    const lines = [held + first, ...others];
    held = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
  if (held !== "") yield held;
}
