/** Runs a parsed Go template, as text/template does. */
import type { BranchNode, PipeCommand, GoNode, GoTemplate, JumpNode, Operand, Pipe, TemplateNode } from "./go-nodes.ts";
import { sprint } from "./format-values.ts";
import { namedValue } from "./go-fields.ts";
import type { GoFunction } from "./go-functions.ts";
import {
  GoByte,
  GoError,
  GoMap,
  GoPointer,
  GoSlice,
  indirect,
  isTruthy,
  sortedEntries,
  goTypeName,
  type GoValue,
} from "./go-values.ts";
import { tooManyCharacters } from "../too-large-error.ts";

export interface GoRunOptions {
  /** All but `and` and `or`. */
  readonly functions: ReadonlyMap<string, GoFunction>;
  /** The value of a missing key: of the element's type, or none. */
  readonly missing: "zero" | "none";
  readonly mostCharacters: number;
}

/** The value that a pipeline hands to its next command, if any. */
interface Piped {
  readonly value: GoValue;
}
interface Variable {
  readonly name: string;
  value: GoValue;
}

type Jump = JumpNode["kind"] | undefined;

/**
 * One run over a template. The stack has the variables of the blocks that are open, `$` first; a template that is
 * called has a stack of its own.
 */
class GoRun {
  readonly #template: GoTemplate;
  readonly #options: GoRunOptions;
  #stack: Variable[];
  #text = "";
  #line = 1;

  constructor(template: GoTemplate, data: GoValue, options: GoRunOptions) {
    this.#template = template;
    this.#options = options;
    this.#stack = [{ name: "$", value: data }];
  }

  run(data: GoValue): string {
    try {
      this.#walk(this.#template.root, data);
      return this.#text;
    } catch (error) {
      if (error instanceof GoError) throw new GoError(`line ${String(this.#line)}: ${error.message}`);
      throw error;
    }
  }

  #write(text: string): void {
    this.#text += text;
    this.#checkLength(this.#text);
  }

  #checkLength(text: string): void {
    const { mostCharacters } = this.#options;
    if (text.length > mostCharacters) throw tooManyCharacters(mostCharacters);
  }

  #walk(nodes: readonly GoNode[], dot: GoValue): Jump {
    for (const node of nodes) {
      const jump = this.#node(node, dot);
      if (jump !== undefined) return jump;
    }
    return undefined;
  }

  #node(node: GoNode, dot: GoValue): Jump {
    if (node.kind === "text") {
      this.#write(node.text);
      return undefined;
    }
    if (!("line" in node)) return node.kind;
    this.#line = node.line;
    if (node.kind === "action") return this.#action(node.pipe, dot);
    if (node.kind === "template") return this.#call(node, dot);
    return this.#scoped(() => (node.kind === "range" ? this.#range(node, dot) : this.#branch(node, dot)));
  }

  /** Variables that `work` declares end with it. */
  #scoped<T>(work: () => T): T {
    const { length } = this.#stack;
    const result = work();
    this.#stack.length = length;
    return result;
  }

  #action(pipe: Pipe, dot: GoValue): undefined {
    const value = this.#pipe(pipe, dot);
    if (pipe.declared.length > 0) return;
    const printed = value instanceof GoPointer ? indirect(value).value : value;
    this.#write(sprint([printed ?? "<no value>"]));
  }

  #branch({ kind, pipe, list, otherwise }: BranchNode, dot: GoValue): Jump {
    const value = this.#pipe(pipe, dot);
    if (isTruthy(value)) return this.#walk(list, kind === "with" ? value : dot);
    return otherwise && this.#walk(otherwise, dot);
  }

  #range({ pipe, list, otherwise }: BranchNode, dot: GoValue): Jump {
    const { value } = indirect(this.#pipe(pipe, dot));
    let isEmpty = true;
    for (const [key, item] of this.#itemsOf(value, pipe)) {
      isEmpty = false;
      this.#setLoopVariables(pipe, key, item);
      if (this.#scoped(() => this.#walk(list, item)) === "break") break;
    }
    return isEmpty && otherwise !== undefined ? this.#walk(otherwise, dot) : undefined;
  }

  *#itemsOf(value: GoValue, pipe: Pipe): Generator<readonly [key: GoValue, item: GoValue]> {
    if (value instanceof GoMap) yield* sortedEntries(value);
    else if (value instanceof GoSlice) for (const [at, item] of value.items.entries()) yield [BigInt(at), item];
    else if (typeof value === "bigint" || value instanceof GoByte) {
      if (pipe.declared.length > 1) throw new GoError("can't use a number to iterate over more than one variable");
      const end = value instanceof GoByte ? BigInt(value.value) : value;
      for (let at = 0n; at < end; at++) yield [undefined, value instanceof GoByte ? new GoByte(Number(at)) : at];
    } else if (value !== undefined && value !== null)
      throw new GoError(`range can't iterate over a value of type ${goTypeName(value)}`);
  }

  /** One variable gets the item, two get the key and the item. */
  #setLoopVariables({ declared, isAssignment }: Pipe, key: GoValue, item: GoValue): void {
    const values = declared.length > 1 ? [key, item] : [item];
    for (const [at, name] of declared.entries()) {
      const own = this.#stack[this.#stack.length - declared.length + at];
      if (isAssignment) this.#assign(name, values[at]);
      else if (own !== undefined) own.value = values[at];
    }
  }

  #call({ name, pipe }: TemplateNode, dot: GoValue): undefined {
    const nodes = name === "" ? this.#template.root : this.#template.defined.get(name);
    if (nodes === undefined) throw new GoError(`template ${JSON.stringify(name)} not defined`);
    const value = pipe === undefined ? undefined : this.#pipe(pipe, dot);
    const stack = this.#stack;
    this.#stack = [{ name: "$", value }];
    this.#walk(nodes, value);
    this.#stack = stack;
  }

  #pipe({ declared, isAssignment, commands }: Pipe, dot: GoValue): GoValue {
    let piped: Piped | undefined;
    for (const command of commands) piped = { value: this.#command(command, dot, piped) ?? undefined };
    const value = piped?.value;
    for (const name of declared)
      if (isAssignment) this.#assign(name, value);
      else this.#stack.push({ name, value });
    return value;
  }

  #assign(name: string, value: GoValue): void {
    this.#variable(name).value = value;
  }

  #variable(name: string): Variable {
    const found = this.#stack.findLast((variable) => variable.name === name);
    if (found === undefined) throw new GoError(`undefined variable: ${name}`);
    return found;
  }

  #command(command: PipeCommand, dot: GoValue, piped?: Piped): GoValue {
    const [first, ...args] = command;
    if (first === undefined || first.kind === "nil") throw new GoError("nil is not a command");
    const given = args.length + Number(piped !== undefined);
    if (first.kind === "function") return this.#function(first.name, args, dot, piped);
    if (first.kind === "field") return this.#fields(dot, first.names, given);
    if (first.kind === "chain") return this.#fields(this.#operand(first.of, dot), first.names, given);
    if (first.kind === "variable" && first.names.length > 1)
      return this.#fields(
        this.#operand({ ...first, names: first.names.slice(0, 1) }, dot),
        first.names.slice(1),
        given,
      );
    if (given > 0) throw new GoError(`can't give argument to a ${first.kind}, which is no function`);
    return this.#operand(first, dot);
  }

  #operand(operand: Operand, dot: GoValue): GoValue {
    if (operand.kind === "dot") return dot;
    if (operand.kind === "nil") return undefined;
    if (operand.kind === "constant") return operand.value;
    if (operand.kind === "pipe") return this.#pipe(operand, dot);
    const [name] = operand.kind === "variable" && operand.names.length === 1 ? operand.names : [];
    return name === undefined ? this.#command([operand], dot) : this.#variable(name).value;
  }

  /** `given`: arguments for the last field, which only a method could take, and none here does. */
  #fields(receiver: GoValue, names: readonly string[], given: number): GoValue {
    let value = receiver;
    for (const [at, name] of names.entries()) {
      if (value === undefined) return undefined;
      if (given > 0 && at === names.length - 1) throw new GoError(`${name} is not a function but has arguments`);
      value = namedValue(value, name, this.#options.missing);
    }
    return value;
  }

  #function(name: string, args: readonly Operand[], dot: GoValue, piped: Piped | undefined): GoValue {
    if (name === "and" || name === "or") return this.#logic(name, args, dot, piped);
    const found = this.#options.functions.get(name);
    if (found === undefined) throw new GoError(`${JSON.stringify(name)} is not a defined function`);
    const { parameters, isVariadic } = found;
    const given = args.length + Number(piped !== undefined);
    const least = isVariadic ? parameters.length - 1 : parameters.length;
    if (given < least || (!isVariadic && given > least))
      throw new GoError(
        `wrong number of args for ${name}: want ${isVariadic ? "at least " : ""}${String(least)} got ${String(given)}`,
      );
    const typeAt = (at: number) => parameters[Math.min(at, parameters.length - 1)];
    const values = args.map((arg, at) => this.#argument(arg, dot, typeAt(at)));
    if (piped !== undefined) values.push(this.#checked(piped.value, typeAt(values.length)));
    const value = this.#checkedCall(found, name, values);
    if (typeof value === "string") this.#checkLength(value);
    return value;
  }

  #checkedCall(called: GoFunction, name: string, values: readonly GoValue[]): GoValue {
    try {
      return called.call(values, this.#options.mostCharacters);
    } catch (error) {
      if (error instanceof GoError) throw new GoError(`error calling ${name}: ${error.message}`);
      throw error;
    }
  }

  #argument(operand: Operand, dot: GoValue, type: GoFunction["parameters"][number] | undefined): GoValue {
    return this.#checked(this.#operand(operand, dot), type);
  }

  #checked(value: GoValue, type: GoFunction["parameters"][number] | undefined): GoValue {
    if (type === "text" && typeof value !== "string")
      throw new GoError(`wrong type for value; expected string; got ${goTypeName(value)}`);
    return value;
  }

  /** Returns the argument that decides; those behind it are not evaluated. */
  #logic(name: "and" | "or", args: readonly Operand[], dot: GoValue, piped: Piped | undefined): GoValue {
    if (args.length === 0 && piped === undefined)
      throw new GoError(`wrong number of args for ${name}: want at least 1 got 0`);
    let value: GoValue;
    for (const arg of args) {
      value = this.#operand(arg, dot);
      if (isTruthy(value) === (name === "or")) return value;
    }
    return piped === undefined ? value : piped.value;
  }
}

/** @throws GoError, with the line; TooLargeError */
export const runGoTemplate = (template: GoTemplate, data: GoValue, options: GoRunOptions): string =>
  new GoRun(template, data, options).run(data);
