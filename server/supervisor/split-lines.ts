import type { Readable } from "node:stream";

/** Longer lines are cut: a process that prints without line ends must not fill this one's memory. */
const maxLineLength = 64 * 1024;

/** Calls `listen` for each line of a text stream, the last one too when it lacks its line end. */
export function splitLines(stream: Readable, listen: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? "";
    if (rest.length > maxLineLength) {
      lines.push(rest);
      rest = "";
    }
    for (const line of lines) if (line !== "") listen(line);
  });
  stream.on("end", () => {
    if (rest !== "") listen(rest);
  });
  // A pipe that breaks because its process was killed is told by `exited`.
  stream.on("error", () => undefined);
}
