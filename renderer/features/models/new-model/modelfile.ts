/**
 * The draft of a Modelfile: that of the base model, whose FROM may name a file on the server; without one, an example
 * of each instruction.
 */
export function draftModelfile(from: string, modelfile?: string): string {
  if (modelfile === undefined)
    return [
      `FROM ${from}`,
      "PARAMETER temperature 0.7",
      "PARAMETER num_ctx 4096",
      'SYSTEM """',
      "You answer in one sentence.",
      '"""',
      "",
    ].join("\n");
  const lines = modelfile.split("\n");
  const first = lines.findIndex((line) => /^FROM /i.test(line));
  return [`FROM ${from}`, ...lines.slice(first + 1)].join("\n");
}
