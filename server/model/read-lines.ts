import { StringDecoder } from "node:string_decoder";

/** The lines of a byte stream, without their ends; a last line needs none. Fails as the stream fails. */
export async function* readLines(stream: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  const decoder = new StringDecoder("utf8");
  let held = "";
  for await (const chunk of stream) {
    const lines = (held + decoder.write(chunk)).split("\n");
    held = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
  if (held !== "") yield held;
}
