/** The part of a template in front of the answer: the model writes what follows. */
import type { BranchNode, PipeCommand, GoNode, Operand, Pipe } from "./go-nodes.ts";
import { isBranch } from "./template-names.ts";

const isResponse = (operand: Operand) => operand.kind === "field" && operand.names.includes("Response");

/** Walks in the order of the text. From the first `.Response` on, everything is left out but that field. */
class Cut {
  #isPast = false;

  list(nodes: readonly GoNode[]): GoNode[] {
    return nodes.map((node) => this.#node(node)).filter((node) => node !== undefined);
  }

  #node(node: GoNode): GoNode | undefined {
    if (this.#isPast) return undefined;
    if (isBranch(node)) return this.#branch(node);
    if (node.kind !== "action") return node;
    const pipe = this.#pipe(node.pipe);
    return pipe && { ...node, pipe };
  }

  /** The condition of a branch is not looked at: `{{ if .Response }}` cuts nothing yet. */
  #branch(node: BranchNode): BranchNode {
    const list = this.list(node.list);
    return { ...node, list, otherwise: node.otherwise && this.list(node.otherwise) };
  }

  #pipe(pipe: Pipe): Pipe | undefined {
    if (this.#isPast) return undefined;
    const commands: PipeCommand[] = [];
    for (const command of pipe.commands) {
      const operands = command.map((operand) => this.#operand(operand)).filter((operand) => operand !== undefined);
      if (operands.length === 0) return undefined;
      commands.push(operands);
    }
    return { ...pipe, commands };
  }

  #operand(operand: Operand): Operand | undefined {
    if (this.#isPast) return undefined;
    if (operand.kind === "pipe") return this.#pipe(operand);
    this.#isPast = isResponse(operand);
    return operand;
  }
}

export const cutAtResponse = (nodes: readonly GoNode[]): readonly GoNode[] => new Cut().list(nodes);
