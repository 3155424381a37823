/** The instructions of a Dockerfile, by stages. */
import { parseEnv } from "node:util";

interface Instruction {
  readonly name: string;
  /** All that follows the name, on one line. */
  readonly text: string;
}

export interface Stage {
  readonly base: string;
  readonly instructions: readonly Instruction[];
  /** What the instructions of this name say, in their order. */
  all(name: string): string[];
  /** What the last one of this name says. @throws Error without one */
  last(name: string): string;
}

const joined = (text: string) =>
  text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replaceAll("\\\n", " ");

function stageOf(base: string, instructions: readonly Instruction[]): Stage {
  const all = (name: string) => instructions.filter((one) => one.name === name).map(({ text }) => text);
  const last = (name: string) => {
    const text = all(name).at(-1);
    if (text === undefined) throw new Error(`the Dockerfile's stage from ${base} has no ${name}`);
    return text;
  };
  return { base, instructions, all, last };
}

export function readDockerfile(text: string): Stage[] {
  const instructions = joined(text)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const end = line.indexOf(" ");
      return { name: line.slice(0, end), text: line.slice(end).trim() };
    });
  const starts = instructions.flatMap(({ name }, at) => (name === "FROM" ? [at] : []));
  return starts.map((start, i) => {
    const [base = ""] = instructions[start]?.text.split(" ") ?? [];
    return stageOf(base, instructions.slice(start + 1, starts[i + 1]));
  });
}

/** The variables of ENV; `path` is what the base image has as PATH. */
export function environmentOf(stage: Stage, path: string): Record<string, string> {
  const lines = stage.all("ENV").flatMap((text) => text.split(" "));
  const given = parseEnv(lines.join("\n"));
  return Object.fromEntries(Object.entries(given).map(([name, value = ""]) => [name, value.replace("$PATH", path)]));
}
