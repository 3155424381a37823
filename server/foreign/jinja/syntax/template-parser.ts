import { constants, ExpressionParser } from "./expression-parser.ts";
import type { KnownNames } from "./name-check.ts";
import { tokenizeTemplate } from "./tokenize-template.ts";
import type { Body, Expression, Loop, Macro, TemplateStatement, AssignmentTarget, Template } from "./syntax-tree.ts";

/** The tags that need another template, which models do not have. */
const inheritance = new Set(["extends", "include", "import", "from"]);
const special = new Set(["caller", "kwargs", "varargs"]);

/** Parses the statements of a template. */
class TemplateParser extends ExpressionParser {
  /** How many loops are around the place, within the same macro. */
  #loops = 0;
  readonly #blocks = new Map<string, Body>();

  parse(): Template {
    const body = this.#body([]);
    this.names.check();
    return { body, blocks: this.#blocks };
  }

  /** The statements before one of the tags, whose name is the current token then; all for none. */
  #body(ends: readonly string[]): Body {
    const body: TemplateStatement[] = [];
    for (;;) {
      const { type, text, line } = this.tokens.current;
      if (type === "eof") {
        if (ends.length > 0) this.tokens.fail(`unexpected end of the template: expected '${ends.join("' or '")}'`);
        return body;
      }
      this.tokens.next();
      if (type === "text") body.push({ kind: "text", text, line });
      else if (text === "{{") {
        body.push({ kind: "output", expression: this.tuple(), line });
        this.tokens.expect("end", "}}");
      } else {
        if (this.tokens.isName(...ends) && ends.length > 0) return body;
        body.push(this.#statement(line));
        this.tokens.expect("end", "%}");
      }
    }
  }

  /** The body of a tag, up to the name of its end tag. */
  #bodyUntil(end: string): Body {
    this.tokens.expect("end", "%}");
    const body = this.#body([end]);
    this.tokens.next();
    return body;
  }

  /** As #bodyUntil, for one with a scope of its own. */
  #innerBody(end: string): Body {
    return this.names.unconditional(() => this.#bodyUntil(end));
  }

  /** As #innerBody, for one that is a function: no loop is left from within. */
  #functionBody(end: string): Body {
    const outer = this.#loops;
    this.#loops = 0;
    const body = this.#innerBody(end);
    this.#loops = outer;
    return body;
  }

  #statement(line: number): TemplateStatement {
    const name = this.tokens.expect("name").text;
    switch (name) {
      case "set":
        return { ...this.#set(), line };
      case "if":
        return { ...this.names.conditional(() => this.#if()), line };
      case "for":
        return { ...this.#for(), line };
      case "macro":
        return { kind: "macro", macro: this.#macro(), line };
      case "call":
        return { ...this.#callBlock(), line };
      case "generation":
        return { kind: "with", values: [], body: this.#functionBody("endgeneration"), line };
      case "filter":
        return { kind: "filter-block", filters: this.#filterChain(true), body: this.#innerBody("endfilter"), line };
      case "with":
        return { kind: "with", values: this.#withValues(), body: this.#innerBody("endwith"), line };
      case "autoescape":
        return { ...this.#autoescape(), line };
      case "block":
        return { ...this.#block(), line };
      case "print":
        return {
          kind: "output",
          expression: { kind: "concatenate", parts: this.tokens.separated(() => this.expression()) },
          line,
        };
      case "break":
      case "continue":
        if (this.#loops === 0) this.tokens.fail(`'${name}' outside loop`, line);
        return { kind: name, line };
      default:
        if (inheritance.has(name)) return this.#inheritance(name, line);
        return this.tokens.fail(`Encountered unknown tag '${name}'.`, line);
    }
  }

  #set() {
    const target = this.#namespaceTarget() ?? this.#target();
    if (this.tokens.skipIf("operator", "=")) return { kind: "set", target, value: this.tuple() } as const;
    const filters = this.#filterChain(false);
    return { kind: "set-block", target, filters, body: this.#innerBody("endset") } as const;
  }

  /** `| upper | trim`; the first one of a filter block has no bar. */
  #filterChain(isBlock: boolean) {
    const filters = isBlock ? [this.filter()] : [];
    while (this.tokens.skipIf("operator", "|")) filters.push(this.filter());
    return filters;
  }

  #if() {
    const branches: { readonly test: Expression; readonly body: Body }[] = [];
    for (;;) {
      const test = this.tuple({ isConditional: false });
      this.tokens.expect("end", "%}");
      branches.push({ test, body: this.#body(["elif", "else", "endif"]) });
      const { text } = this.tokens.next();
      if (text === "elif") continue;
      return { kind: "if", branches, otherwise: text === "else" ? this.#bodyUntil("endif") : [] } as const;
    }
  }

  #for(): Loop {
    const target = this.#target("in");
    if (namesOf(target).includes("loop")) this.tokens.fail("can't assign to the special loop variable");
    this.tokens.expect("name", "in");
    const iterable = this.tuple({ isConditional: false, end: "recursive" });
    return this.names.unconditional(() => {
      const test = this.tokens.skipIf("name", "if") ? this.expression() : undefined;
      const isRecursive = this.tokens.skipIf("name", "recursive");
      this.tokens.expect("end", "%}");
      const before = this.namesRead.length;
      this.#loops++;
      const body = this.#body(["endfor", "else"]);
      this.#loops--;
      const usesLoop = isRecursive || this.namesRead.includes("loop", before);
      const otherwise = this.tokens.next().text === "else" ? this.#bodyUntil("endfor") : [];
      return { kind: "for", target, iterable, test, isRecursive, usesLoop, body, otherwise };
    });
  }

  #macro(): Macro {
    const name = this.#targetName();
    const before = this.namesRead.length;
    const parameters = this.#parameters();
    const body = this.#functionBody("endmacro");
    const uses = this.#specialNames(before);
    if (uses.has("caller") && parameters.some((each) => each.name === "caller" && each.other === undefined))
      this.tokens.fail("the argument 'caller' needs a default");
    return { name, parameters, body, uses };
  }

  /** Those of the special names that were read since a place. */
  #specialNames(before: number): ReadonlySet<string> {
    return new Set(this.namesRead.slice(before).filter((each) => special.has(each)));
  }

  #parameters(): Macro["parameters"] {
    const parameters: { name: string; other: Expression | undefined }[] = [];
    this.tokens.expect("operator", "(");
    while (!this.tokens.isOperator(")")) {
      if (parameters.length > 0) this.tokens.expect("operator", ",");
      const name = this.#targetName();
      const other = this.tokens.skipIf("operator", "=") ? this.expression() : undefined;
      if (other === undefined && parameters.at(-1)?.other !== undefined)
        this.tokens.fail("non-default argument follows default argument");
      if (parameters.some((parameter) => parameter.name === name)) this.tokens.fail(`duplicate argument '${name}'`);
      parameters.push({ name, other });
    }
    this.tokens.next();
    return parameters;
  }

  #callBlock() {
    const before = this.namesRead.length;
    const parameters = this.tokens.isOperator("(") ? this.#parameters() : [];
    const call = this.expression();
    if (call.kind !== "call") return this.tokens.fail("expected call");
    const body = this.#functionBody("endcall");
    const uses = this.#specialNames(before);
    return {
      kind: "call-block",
      callee: call.callee,
      args: call.args,
      caller: { name: "caller", parameters, body, uses },
    } as const;
  }

  #withValues() {
    return this.tokens.separated(() => {
      const target = this.#target();
      this.tokens.expect("operator", "=");
      return { target, value: this.expression() };
    });
  }

  #autoescape() {
    const value = this.expression();
    const body = this.#innerBody("endautoescape");
    if (value.kind === "constant" && value.value === false) return { kind: "with", values: [], body } as const;
    return { kind: "refused", why: "autoescape is not supported" } as const;
  }

  #block() {
    const name = this.tokens.expect("name").text;
    if (this.#blocks.has(name)) this.tokens.fail(`block '${name}' defined twice`);
    const isScoped = this.tokens.skipIf("name", "scoped");
    if (this.tokens.skipIf("name", "required")) return this.tokens.fail("required blocks are not supported");
    const body = this.#functionBody("endblock");
    this.#blocks.set(name, body);
    this.tokens.skipIf("name", name);
    return { kind: "block", name, isScoped, body } as const;
  }

  #inheritance(name: string, line: number): TemplateStatement {
    while (!this.tokens.is("end") && !this.tokens.is("eof")) this.tokens.next();
    return { kind: "refused", why: `no other template can be loaded: '${name}'`, line };
  }

  #targetName(): string {
    const { text } = this.tokens.expect("name");
    return Object.hasOwn(constants, text) ? this.tokens.fail(`can't assign to '${text}'`) : text;
  }

  /** A name, or several with commas between them. */
  #target(end?: string): AssignmentTarget {
    const { items, isTuple } = this.tupleItems(() => this.#assignable(this.primary()), end);
    const [first] = items;
    if (first === undefined) return this.tokens.fail(`expected a name, got ${this.tokens.described}`);
    return isTuple ? { kind: "tuple", items } : first;
  }

  #namespaceTarget(): AssignmentTarget | undefined {
    const { following } = this.tokens;
    if (following.type !== "operator" || following.text !== ".") return undefined;
    const name = this.tokens.expect("name").text;
    this.tokens.next();
    return { kind: "namespace", name, attribute: this.tokens.expect("name").text };
  }

  #assignable(expression: Expression): AssignmentTarget {
    if (expression.kind === "name") {
      this.namesRead.splice(this.namesRead.lastIndexOf(expression.name), 1);
      return { kind: "name", name: expression.name };
    }
    if (expression.kind === "tuple")
      return { kind: "tuple", items: expression.items.map((item) => this.#assignable(item)) };
    return this.tokens.fail(`can't assign to '${expression.kind}'`);
  }
}

const namesOf = (target: AssignmentTarget): readonly string[] =>
  target.kind === "tuple" ? target.items.flatMap(namesOf) : [target.name];

/** @throws LineError for a text that is no template */
export const parseTemplateText = (text: string, known: KnownNames): Template =>
  new TemplateParser(tokenizeTemplate(text), known).parse();
