/** The parsed form of a Go template. */
import type { GoValue } from "./go-values.ts";

export interface TextNode {
  readonly kind: "text";
  readonly text: string;
}
/** `line` is that of the action. */
export interface ActionNode {
  readonly kind: "action";
  readonly line: number;
  readonly pipe: Pipe;
}
export interface BranchNode {
  readonly kind: "if" | "with" | "range";
  readonly line: number;
  readonly pipe: Pipe;
  readonly list: readonly GoNode[];
  readonly otherwise: readonly GoNode[] | undefined;
}
export interface TemplateNode {
  readonly kind: "template";
  readonly line: number;
  readonly name: string;
  readonly pipe: Pipe | undefined;
}
export interface JumpNode {
  readonly kind: "break" | "continue";
}
export type GoNode = TextNode | ActionNode | BranchNode | TemplateNode | JumpNode;

export interface Pipe {
  readonly kind: "pipe";
  readonly declared: readonly string[];
  /** `=` instead of `:=`. */
  readonly isAssignment: boolean;
  readonly commands: readonly PipeCommand[];
}
/** The operands of a command: a value, or a function or method with its arguments. */
export type PipeCommand = readonly Operand[];

export type Operand =
  | { readonly kind: "dot" }
  | { readonly kind: "nil" }
  | { readonly kind: "constant"; readonly value: GoValue }
  | { readonly kind: "field"; readonly names: readonly string[] }
  | { readonly kind: "variable"; readonly names: readonly string[] }
  | { readonly kind: "function"; readonly name: string }
  /** Fields of what is in parentheses, or of a function's result. */
  | { readonly kind: "chain"; readonly of: Operand; readonly names: readonly string[] }
  | Pipe;

export interface GoTemplate {
  readonly root: readonly GoNode[];
  /** The templates of `define` and `block`. */
  readonly defined: ReadonlyMap<string, readonly GoNode[]>;
}
