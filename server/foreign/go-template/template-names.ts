/** Reads a Go template without running it. */
import type { BranchNode, GoNode, GoTemplate, Operand, Pipe } from "./go-nodes.ts";
import { GoError } from "./go-values.ts";

export const isBranch = (node: GoNode): node is BranchNode => "list" in node;

function* namesInOperand(operand: Operand): Generator<string> {
  if (operand.kind === "field" || operand.kind === "variable") yield* operand.names;
  if (operand.kind === "pipe") yield* namesInPipe(operand);
}

function* namesInPipe({ commands }: Pipe): Generator<string> {
  for (const operand of commands.flat()) yield* namesInOperand(operand);
}

function* namesInList(nodes: readonly GoNode[]): Generator<string> {
  for (const node of nodes) {
    if (node.kind === "template" && node.pipe === undefined)
      throw new GoError(`line ${String(node.line)}: undefined template specified: {{ template }} needs a value`);
    if ("pipe" in node && node.pipe !== undefined) yield* namesInPipe(node.pipe);
    if (isBranch(node)) yield* namesInList([...node.list, ...(node.otherwise ?? [])]);
  }
}

/**
 * The fields and variables that a template names, in lower case. Like Ollama, which decides by them what a model can do,
 * it does not look at fields behind parentheses. @throws GoError for a call of a template without a value
 */
export function fieldNames({ root, defined }: GoTemplate): ReadonlySet<string> {
  const names = [root, ...defined.values()].flatMap((nodes) => [...namesInList(nodes)]);
  return new Set(names.map((name) => name.toLowerCase()));
}
