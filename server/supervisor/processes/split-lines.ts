import type { Readable } from "node:stream";

/** Longer lines are cut, so that a process that prints no line ends cannot fill this process's memory. */
const maxLineLength = 64 * 1024;

/** Calls `listen` for each line of a text stream, including a last line without a line end. */
export function splitLines(stream: Readable, listen: (line: string) => void): void {
  let rest = "";
  const report = (line: string) => {
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (text !== "") listen(text);
  };
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const [first = "", ...others] = chunk.split("\n");
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? "";
    if (rest.length > maxLineLength) {
      lines.push(rest);
      rest = "";
    }
    for (const line of lines) report(line);
  });
  stream.on("end", () => {
    report(rest);
  });
  // When a killed process breaks its pipe, `exited` reports it.
  stream.on("error", () => undefined);
}
