/** Parses a Go template, with the rules of text/template that hold before it runs. */
import { characterCode, numberLiteral, quotedText } from "./go-literals.ts";
import type { BranchNode, PipeCommand, GoNode, GoTemplate, Operand, Pipe } from "./go-nodes.ts";
import { GoError, type GoValue } from "./go-values.ts";
import { lexGoTemplate, type GoToken } from "./lex-go-template.ts";

const keywords = new Set("block break continue define else end if nil range template with".split(" "));
const values = new Set<GoToken["kind"]>(["field", "variable", "number", "character", "quoted", "raw"]);

function constantOf(kind: GoToken["kind"], text: string): GoValue {
  if (kind === "number") return numberLiteral(text);
  if (kind === "character") return characterCode(text);
  return kind === "raw" ? text.slice(1, -1) : quotedText(text);
}

/** A list of nodes, and the word that ended it: `end`, `else`, or none at the end of the template. */
interface NodeList {
  readonly nodes: readonly GoNode[];
  readonly ending: "end" | "else" | undefined;
}

class Parser {
  readonly #tokens: readonly GoToken[];
  readonly #functions: ReadonlySet<string>;
  readonly #defined = new Map<string, readonly GoNode[]>();
  #at = 0;
  /** The variables in scope, and the loops around. A template of its own starts with neither. */
  #variables: string[] = ["$"];
  #loops = 0;

  constructor(source: string, functions: ReadonlySet<string>) {
    this.#tokens = lexGoTemplate(source);
    this.#functions = functions;
  }

  template(): GoTemplate {
    const { nodes, ending } = this.#list(true);
    if (ending !== undefined) throw this.#error(`unexpected {{${ending}}}`);
    return { root: nodes, defined: this.#defined };
  }

  get #token(): GoToken {
    const token = this.#tokens[this.#at] ?? this.#tokens.at(-1);
    if (token === undefined) throw new GoError("no template");
    return token;
  }

  #error(message: string, line = this.#token.line): GoError {
    return new GoError(`line ${String(line)}: ${message}`);
  }

  #unexpected(context: string): GoError {
    const { kind, text } = this.#token;
    return this.#error(`unexpected ${kind === "end of template" ? kind : JSON.stringify(text)} in ${context}`);
  }

  #skipSpace(): void {
    if (this.#token.kind === "space") this.#at++;
  }

  /** The next token that is no space, if it has this text: it is then consumed. */
  #accepts(text: string, kind: GoToken["kind"] = "mark"): boolean {
    this.#skipSpace();
    const isNext = this.#token.kind === kind && this.#token.text === text;
    if (isNext) this.#at++;
    return isNext;
  }

  #close(context: string): void {
    if (!this.#accepts("}}", "close")) throw this.#unexpected(context);
  }

  #list(isTop = false): NodeList {
    const nodes: GoNode[] = [];
    for (;;) {
      const { kind, text, line } = this.#token;
      if (kind === "end of template") {
        if (!isTop) throw this.#error("unexpected end of template: an {{end}} is missing");
        return { nodes, ending: undefined };
      }
      this.#at++;
      if (kind === "text") nodes.push({ kind: "text", text });
      else if (this.#accepts("end", "word")) {
        this.#close("end");
        return { nodes, ending: "end" };
      } else if (this.#accepts("else", "word")) return { nodes, ending: "else" };
      else if (isTop && this.#accepts("define", "word")) this.#definition();
      else nodes.push(this.#action(line));
    }
  }

  #action(line: number): GoNode {
    const { kind, text } = this.#token;
    if (kind !== "word" || !keywords.has(text)) {
      return { kind: "action", line, pipe: this.#pipe("command") };
    }
    this.#at++;
    switch (text) {
      case "if":
      case "with":
      case "range":
        return this.#branch(text, line);
      case "template":
        return this.#call(line);
      case "block":
        return this.#block(line);
      case "break":
      case "continue":
        this.#close(text);
        if (this.#loops === 0) throw this.#error(`{{${text}}} outside {{range}}`, line);
        return { kind: text };
      default:
        this.#at--;
        if (text === "nil") return { kind: "action", line, pipe: this.#pipe("command") };
        throw this.#unexpected("command");
    }
  }

  #branch(kind: BranchNode["kind"], line: number): BranchNode {
    const scope = this.#variables.length;
    const pipe = this.#pipe(kind);
    if (kind === "range") this.#loops++;
    const { nodes, ending } = this.#list();
    if (kind === "range") this.#loops--;
    const otherwise = ending === "else" ? this.#otherwise(kind) : undefined;
    this.#variables.length = scope;
    return { kind, line, pipe, list: nodes, otherwise };
  }

  /** `else if` and `else with` need no `end` of their own. */
  #otherwise(kind: BranchNode["kind"]): readonly GoNode[] {
    const { line } = this.#token;
    if (kind !== "range" && this.#accepts(kind, "word")) return [this.#branch(kind, line)];
    this.#close("else");
    const { nodes, ending } = this.#list();
    if (ending !== "end") throw this.#error("expected end; found {{else}}");
    return nodes;
  }

  #name(context: string): string {
    this.#skipSpace();
    const { kind, text } = this.#token;
    if (kind !== "quoted" && kind !== "raw") throw this.#unexpected(context);
    this.#at++;
    return constantOf(kind, text) as string;
  }

  #call(line: number): GoNode {
    const name = this.#name("template clause");
    const isBare = this.#accepts("}}", "close");
    return { kind: "template", line, name, pipe: isBare ? undefined : this.#pipe("template clause") };
  }

  #definition(): void {
    const name = this.#name("define clause");
    this.#close("define clause");
    this.#body(name);
  }

  #block(line: number): GoNode {
    const name = this.#name("block clause");
    const pipe = this.#pipe("block clause");
    this.#body(name);
    return { kind: "template", line, name, pipe };
  }

  #body(name: string): void {
    const [variables, loops] = [this.#variables, this.#loops];
    [this.#variables, this.#loops] = [["$"], 0];
    const { nodes, ending } = this.#list();
    if (ending !== "end") throw this.#error(`unexpected {{else}} in define clause`);
    [this.#variables, this.#loops] = [variables, loops];
    const isEmpty = (list: readonly GoNode[]) => list.every((node) => node.kind === "text" && node.text.trim() === "");
    const known = this.#defined.get(name);
    if (known !== undefined && !isEmpty(known)) {
      if (!isEmpty(nodes)) throw this.#error(`multiple definition of template ${JSON.stringify(name)}`);
      return;
    }
    this.#defined.set(name, nodes);
  }

  /** A pipeline up to its closing delimiter or, for one in parentheses, its parenthesis. */
  #pipe(context: string): Pipe {
    const { declared, isAssignment } = this.#declarations(context);
    const commands: PipeCommand[] = [];
    const isInner = context === "parenthesized pipeline";
    const isOver = () => (isInner ? this.#accepts(")") : this.#accepts("}}", "close"));
    while (!isOver()) {
      if (commands.length > 0 && !this.#accepts("|")) throw this.#unexpected(context);
      // Go takes a bar with nothing behind it.
      if (commands.length > 0 && isOver()) break;
      const { line } = this.#token;
      commands.push(this.#command());
      const [first] = commands.at(-1) ?? [];
      const isValue = first !== undefined && ["dot", "nil", "constant"].includes(first.kind);
      if (commands.length > 1 && isValue)
        throw this.#error(`non executable command in pipeline stage ${String(commands.length)}`, line);
    }
    if (commands.length === 0) throw this.#error(`missing value for ${context}`);
    return { kind: "pipe", declared, isAssignment, commands };
  }

  #declarations(context: string): Pick<Pipe, "declared" | "isAssignment"> {
    const declared: string[] = [];
    const start = this.#at;
    for (;;) {
      this.#skipSpace();
      const { kind, text } = this.#token;
      if (kind !== "variable") break;
      this.#at++;
      const isAssignment = this.#accepts("=");
      if (isAssignment || this.#accepts(":=")) {
        declared.push(text);
        this.#variables.push(...declared);
        return { declared, isAssignment };
      }
      if (!this.#accepts(",")) break;
      declared.push(text);
      if (context !== "range" || declared.length > 1) throw this.#error(`too many declarations in ${context}`);
    }
    this.#at = start;
    return { declared: [], isAssignment: false };
  }

  #command(): PipeCommand {
    const operands: Operand[] = [];
    for (;;) {
      this.#skipSpace();
      const operand = this.#operand();
      if (operand === undefined) break;
      operands.push(operand);
      const { kind, text } = this.#token;
      if (kind === "space") continue;
      if (kind === "close" || (kind === "mark" && (text === ")" || text === "|"))) break;
      throw this.#unexpected("operand");
    }
    if (operands.length === 0) {
      if (this.#token.kind === "close" || this.#token.text === ")") throw this.#error("empty command");
      throw this.#unexpected("command");
    }
    return operands;
  }

  #operand(): Operand | undefined {
    const term = this.#term();
    if (term === undefined || this.#token.kind !== "field") return term;
    const names: string[] = [];
    for (; this.#token.kind === "field"; this.#at++) names.push(this.#token.text.slice(1));
    if (term.kind === "field" || term.kind === "variable") return { ...term, names: [...term.names, ...names] };
    if (term.kind === "dot" || term.kind === "nil" || term.kind === "constant")
      throw this.#error(`unexpected . after a ${term.kind}`);
    return { kind: "chain", of: term, names };
  }

  #term(): Operand | undefined {
    const { kind, text } = this.#token;
    if (kind === "word") return this.#word(text);
    if (kind === "mark" && (text === "." || text === "(")) {
      this.#at++;
      return text === "." ? { kind: "dot" } : this.#pipe("parenthesized pipeline");
    }
    if (!values.has(kind)) return undefined;
    this.#at++;
    if (kind === "field") return { kind, names: [text.slice(1)] };
    if (kind !== "variable") return { kind: "constant", value: constantOf(kind, text) };
    if (!this.#variables.includes(text)) throw this.#error(`undefined variable ${JSON.stringify(text)}`);
    return { kind, names: [text] };
  }

  #word(text: string): Operand | undefined {
    if (text === "true" || text === "false") {
      this.#at++;
      return { kind: "constant", value: text === "true" };
    }
    if (text !== "nil" && keywords.has(text)) return undefined;
    if (text !== "nil" && !this.#functions.has(text)) throw this.#error(`function ${JSON.stringify(text)} not defined`);
    this.#at++;
    return text === "nil" ? { kind: "nil" } : { kind: "function", name: text };
  }
}

/** @throws GoError for a text that is no template, with the line */
export const parseGoTemplate = (source: string, functions: ReadonlySet<string>): GoTemplate =>
  new Parser(source, functions).template();
