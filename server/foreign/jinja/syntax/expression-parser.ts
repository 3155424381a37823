import type { BinaryOperator } from "../values/operators.ts";
import type { TemplateToken } from "./tokenize-template.ts";
import type { Applied, CallArguments, Expression, SliceBounds } from "./syntax-tree.ts";
import { NameCheck, type KnownNames } from "./name-check.ts";
import { TokenCursor } from "./token-cursor.ts";

export const constants: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};
const comparisons = ["==", "!=", "<", "<=", ">", ">="];
const literals = new Set<TemplateToken["type"]>(["name", "string", "integer", "float"]);

/** Parses expressions with the precedence of Jinja2, in which `**` binds to the left and filters follow a sign. */
export class ExpressionParser {
  protected readonly tokens: TokenCursor;
  protected readonly names: NameCheck;
  /** Names that are read so far, in order: how a body uses `loop` or `caller`. */
  protected readonly namesRead: string[] = [];

  constructor(tokens: readonly TemplateToken[], known: KnownNames) {
    this.tokens = new TokenCursor(tokens);
    this.names = new NameCheck(known, this.tokens);
  }

  protected expression(): Expression {
    const before = this.names.mark();
    let expression = this.#or();
    while (this.tokens.skipIf("name", "if")) {
      const then = expression;
      expression = this.names.conditional(() => {
        const test = this.#or();
        const otherwise = this.tokens.skipIf("name", "else") ? this.expression() : undefined;
        return { kind: "conditional", test, then, otherwise };
      }, before);
    }
    return expression;
  }

  /** An expression, or several with commas between them. */
  protected tuple(options: { isConditional?: boolean; isInParentheses?: boolean; end?: string } = {}): Expression {
    const parse = () => (options.isConditional === false ? this.#or() : this.expression());
    const { items, isTuple } = this.tupleItems(parse, options.end);
    const [first] = items;
    if (!isTuple && first !== undefined) return first;
    if (!isTuple && options.isInParentheses !== true)
      this.tokens.fail(`expected an expression, got ${this.tokens.described}`);
    return { kind: "tuple", items };
  }

  /** Items with commas between them; one with a comma behind it is a tuple, too. */
  protected tupleItems<T>(parse: () => T, end?: string): { readonly items: readonly T[]; readonly isTuple: boolean } {
    const items: T[] = [];
    let isTuple = false;
    const isOver = () =>
      this.tokens.is("end") || this.tokens.isOperator(")") || (end !== undefined && this.tokens.isName(end));
    while (!isOver()) {
      items.push(parse());
      if (!this.tokens.skipIf("operator", ",")) break;
      isTuple = true;
    }
    return { items, isTuple };
  }

  #or(): Expression {
    let left = this.#and();
    while (this.tokens.skipIf("name", "or")) left = { kind: "or", left, right: this.#and() };
    return left;
  }

  #and(): Expression {
    let left = this.#not();
    while (this.tokens.skipIf("name", "and")) left = { kind: "and", left, right: this.#not() };
    return left;
  }

  #not(): Expression {
    return this.tokens.skipIf("name", "not") ? { kind: "not", operand: this.#not() } : this.#compare();
  }

  #compare(): Expression {
    const first = this.#sum();
    const rest: (readonly [string, Expression])[] = [];
    for (let operator = this.#comparison(); operator !== undefined; operator = this.#comparison())
      rest.push([operator, this.#sum()]);
    return rest.length === 0 ? first : { kind: "compare", first, rest };
  }

  #comparison(): string | undefined {
    if (this.tokens.isOperator(...comparisons)) return this.tokens.next().text;
    if (this.tokens.skipIf("name", "in")) return "in";
    const { following } = this.tokens;
    if (!this.tokens.isName("not") || following.type !== "name" || following.text !== "in") return undefined;
    this.tokens.next();
    this.tokens.next();
    return "not in";
  }

  #binary(operators: readonly BinaryOperator[], operand: () => Expression): Expression {
    let left = operand();
    while (this.tokens.isOperator(...operators)) {
      const operator = this.tokens.next().text as BinaryOperator;
      left = { kind: "binary", operator, left, right: operand() };
    }
    return left;
  }

  readonly #sum = () => this.#binary(["+", "-"], this.#concatenation);

  readonly #concatenation = (): Expression => {
    const parts = [this.#product()];
    while (this.tokens.skipIf("operator", "~")) parts.push(this.#product());
    return parts.length === 1 ? (parts[0] as Expression) : { kind: "concatenate", parts };
  };

  readonly #product = () => this.#binary(["*", "/", "//", "%"], this.#power);
  readonly #power = () => this.#binary(["**"], this.#filtered);

  readonly #filtered = () => this.#filters(this.#signed());

  #signed(): Expression {
    if (!this.tokens.isOperator("-", "+")) return this.#postfix(this.primary());
    const operator = this.tokens.next().text as "-" | "+";
    return this.#postfix({ kind: "sign", operator, operand: this.#signed() });
  }

  protected primary(): Expression {
    const { type, text } = this.tokens.current;
    if (literals.has(type)) return this.#literal();
    if (type === "operator" && text === "(") {
      this.tokens.next();
      const expression = this.tuple({ isInParentheses: true });
      this.tokens.expect("operator", ")");
      return expression;
    }
    if (type === "operator" && text === "[") return { kind: "list", items: this.#list("]", () => this.expression()) };
    if (type === "operator" && text === "{") return { kind: "dict", pairs: this.#list("}", () => this.#pair()) };
    return this.tokens.fail(`expected an expression, got ${this.tokens.described}`);
  }

  #literal(): Expression {
    const { type, text } = this.tokens.next();
    if (type === "integer") return { kind: "constant", value: BigInt(text.replaceAll("_", "")) };
    if (type === "float") return { kind: "constant", value: Number(text.replaceAll("_", "")) };
    if (type === "string") {
      let value = text;
      while (this.tokens.is("string")) value += this.tokens.next().text;
      return { kind: "constant", value };
    }
    if (Object.hasOwn(constants, text)) return { kind: "constant", value: constants[text] as boolean | null };
    this.namesRead.push(text);
    return { kind: "name", name: text };
  }

  /** Parses what stands between brackets, with commas between. */
  #list<T>(closer: string, parse: () => T): readonly T[] {
    const items: T[] = [];
    this.tokens.next();
    while (!this.tokens.isOperator(closer)) {
      items.push(parse());
      if (!this.tokens.isOperator(closer)) this.tokens.expect("operator", ",");
    }
    this.tokens.next();
    return items;
  }

  #pair(): readonly [Expression, Expression] {
    const key = this.expression();
    this.tokens.expect("operator", ":");
    return [key, this.expression()];
  }

  #postfix(expression: Expression): Expression {
    let parsed = expression;
    for (;;)
      if (this.tokens.skipIf("operator", ".")) parsed = this.#member(parsed);
      else if (this.tokens.isOperator("[")) parsed = this.#subscript(parsed);
      else if (this.tokens.isOperator("(")) parsed = { kind: "call", callee: parsed, args: this.callArguments() };
      else return parsed;
  }

  #member(object: Expression): Expression {
    const { type, text } = this.tokens.next();
    if (type === "name") return { kind: "attribute", object, name: text };
    if (type === "integer") return { kind: "item", object, key: { kind: "constant", value: BigInt(text) } };
    return this.tokens.fail("expected a name or number behind the dot");
  }

  #subscript(object: Expression): Expression {
    const parts = this.#list("]", () => this.#subscribed());
    const [first] = parts;
    if (first === undefined || parts.length > 1) {
      const items = parts.map((part) => ("start" in part ? this.tokens.fail("invalid syntax") : part));
      return { kind: "item", object, key: { kind: "tuple", items } };
    }
    return "start" in first ? { kind: "slice", object, bounds: first } : { kind: "item", object, key: first };
  }

  #subscribed(): Expression | SliceBounds {
    const isEmpty = () => this.tokens.isOperator(":", "]", ",");
    const start = isEmpty() ? undefined : this.expression();
    if (!this.tokens.skipIf("operator", ":")) return start ?? this.primary();
    const stop = isEmpty() ? undefined : this.expression();
    const hasStep = this.tokens.skipIf("operator", ":");
    return { start, stop, step: hasStep && !isEmpty() ? this.expression() : undefined };
  }

  protected callArguments(): CallArguments {
    const positional: Expression[] = [];
    const named: (readonly [string, Expression])[] = [];
    let [spread, spreadNamed]: (Expression | undefined)[] = [];
    const ensure = (isValid: boolean) => {
      if (!isValid) this.tokens.fail("invalid syntax for function call expression");
    };
    this.#list(")", () => {
      if (this.tokens.skipIf("operator", "*")) {
        ensure(spread === undefined && spreadNamed === undefined);
        spread = this.expression();
      } else if (this.tokens.skipIf("operator", "**")) {
        ensure(spreadNamed === undefined);
        spreadNamed = this.expression();
      } else if (
        this.tokens.is("name") &&
        this.tokens.following.type === "operator" &&
        this.tokens.following.text === "="
      ) {
        ensure(spreadNamed === undefined);
        const name = this.tokens.next().text;
        this.tokens.next();
        named.push([name, this.expression()]);
      } else {
        ensure(spread === undefined && spreadNamed === undefined && named.length === 0);
        positional.push(this.expression());
      }
    });
    return { positional, named, spread, spreadNamed };
  }

  #filters(expression: Expression): Expression {
    let parsed = expression;
    for (;;)
      if (this.tokens.skipIf("operator", "|")) parsed = { kind: "filter", operand: parsed, ...this.filter() };
      else if (this.tokens.skipIf("name", "is")) parsed = this.#test(parsed);
      else if (this.tokens.isOperator("(")) parsed = { kind: "call", callee: parsed, args: this.callArguments() };
      else return parsed;
  }

  /** A filter without the bar before it. */
  protected filter(): Applied {
    const { line } = this.tokens.current;
    const name = this.#dottedName();
    this.names.use("filter", name, line);
    return { name, args: this.tokens.isOperator("(") ? this.callArguments() : bare };
  }

  #dottedName(): string {
    let name = this.tokens.expect("name").text;
    while (this.tokens.skipIf("operator", ".")) name += `.${this.tokens.expect("name").text}`;
    return name;
  }

  #test(operand: Expression): Expression {
    const { line } = this.tokens.current;
    const isNegated = this.tokens.skipIf("name", "not");
    const name = this.#dottedName();
    this.names.use("test", name, line);
    const test: Expression = { kind: "test", operand, name, args: this.#testArguments() };
    return isNegated ? { kind: "not", operand: test } : test;
  }

  /** Arguments in parentheses, or one without. */
  #testArguments(): CallArguments {
    if (this.tokens.isOperator("(")) return this.callArguments();
    const hasArgument = literals.has(this.tokens.current.type) || this.tokens.isOperator("[", "{");
    if (!hasArgument || this.tokens.isName("else", "or", "and")) return bare;
    if (this.tokens.isName("is")) this.tokens.fail("You cannot chain multiple tests with is");
    return { ...bare, positional: [this.#postfix(this.primary())] };
  }
}

const bare: CallArguments = { positional: [], named: [], spread: undefined, spreadNamed: undefined };
