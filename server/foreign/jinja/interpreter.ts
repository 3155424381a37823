import { tooManyCharacters } from "../too-large-error.ts";
import { Evaluator } from "./evaluator.ts";
import { Namespace } from "./globals.ts";
import { LoopContext } from "./loop-context.ts";
import { MacroObject, type MacroVariables } from "./macro-object.ts";
import { Scope } from "./scope.ts";
import type { Applied, Body, Loop, Macro, TemplateStatement, AssignmentTarget } from "./syntax/syntax-tree.ts";
import { textArgument } from "./values/arguments.ts";
import { isTrue, iterate } from "./values/iterate.ts";
import { PythonError, typeError, valueError } from "./values/python-error.ts";
import { typeNameOf } from "./values/type-name.ts";
import { isText, PythonFunction, PythonObject, Undefined, type Value } from "./values/value.ts";

/** The text that a body writes. */
class Output {
  readonly #most: number;
  text = "";
  constructor(most: number) {
    this.#most = most;
  }
  /** @throws TooLargeError */
  write(text: string): void {
    this.text += text;
    if (this.text.length > this.#most) throw tooManyCharacters(this.#most);
  }
}

/** How a body ended: undefined at its end. */
type End = "break" | "continue" | undefined;

/** The variable `self`, whose attributes render the template's blocks. */
class SelfReference extends PythonObject {
  override readonly typeName = "TemplateReference";
  readonly #render: (body: Body) => string;
  readonly #blocks: ReadonlyMap<string, Body>;
  constructor(blocks: ReadonlyMap<string, Body>, render: (body: Body) => string) {
    super();
    this.#blocks = blocks;
    this.#render = render;
  }
  override attribute(name: string): Value | undefined {
    const body = this.#blocks.get(name);
    return body && new PythonFunction(name, () => this.#render(body));
  }
}

/** Runs the statements of one template once. */
export class Interpreter {
  readonly #evaluator: Evaluator;
  readonly #root: Scope;
  /** The line of the statement that runs. */
  line = 1;

  constructor(root: Scope, blocks: ReadonlyMap<string, Body>, mostCharacters: number) {
    this.#root = root;
    this.#evaluator = new Evaluator(mostCharacters);
    root.set("self", new SelfReference(blocks, (body) => this.render(body, new Scope(root))));
  }

  /** The text of a body. @throws PythonError; TooLargeError; RefusalError */
  render(body: Body, scope: Scope): string {
    const output = this.#output();
    this.#run(body, scope, output);
    return output.text;
  }

  #output(): Output {
    return new Output(this.#evaluator.mostCharacters);
  }

  #run(body: Body, scope: Scope, output: Output): End {
    for (const statement of body) {
      const end = this.#runStatement(statement, scope, output);
      if (end !== undefined) return end;
    }
    return undefined;
  }

  #runStatement(statement: TemplateStatement, scope: Scope, output: Output): End {
    this.line = statement.line;
    const evaluator = this.#evaluator;
    switch (statement.kind) {
      case "text":
        output.write(statement.text);
        return undefined;
      case "output":
        output.write(evaluator.pythonText(evaluator.evaluate(statement.expression, scope)));
        return undefined;
      case "set":
        this.#assign(statement.target, evaluator.evaluate(statement.value, scope), scope);
        return undefined;
      case "set-block":
        return this.#capture(statement, scope, (value) => this.#assign(statement.target, value, scope));
      case "if":
        return this.#if(statement, scope, output);
      case "for":
        return this.#for(statement, evaluator.evaluate(statement.iterable, scope), { scope, output, depth: 0 });
      case "macro":
        scope.set(statement.macro.name, this.#macro(statement.macro, scope));
        return undefined;
      case "call-block":
        output.write(written(this.#callBlock(statement, scope)));
        return undefined;
      case "filter-block":
        return this.#capture(statement, scope, (value) => output.write(written(value)));
      case "with":
        return this.#with(statement, scope, output);
      case "block":
        output.write(this.render(statement.body, new Scope(statement.isScoped ? scope : this.#root)));
        return undefined;
      case "break":
      case "continue":
        return statement.kind;
      case "refused":
        throw new PythonError("TemplateRuntimeError", statement.why);
    }
  }

  #assign(target: AssignmentTarget, value: Value, scope: Scope): void {
    if (target.kind === "name") scope.set(target.name, value);
    else if (target.kind === "namespace") this.#assignAttribute(target, value, scope);
    else this.#unpack(target.items, value, scope);
  }

  #assignAttribute(
    { name, attribute }: Extract<AssignmentTarget, { kind: "namespace" }>,
    value: Value,
    scope: Scope,
  ): void {
    const namespace = scope.get(name);
    if (!(namespace instanceof Namespace))
      throw new PythonError("TemplateRuntimeError", "cannot assign attribute on non-namespace object");
    namespace.set(attribute, value);
  }

  #unpack(targets: readonly AssignmentTarget[], value: Value, scope: Scope): void {
    const values: Value[] = [];
    for (const each of iterate(value)) {
      if (values.length === targets.length) throw valueError(`too many values to unpack (expected ${targets.length})`);
      values.push(each);
    }
    if (values.length < targets.length)
      throw valueError(`not enough values to unpack (expected ${targets.length}, got ${values.length})`);
    for (const [at, target] of targets.entries()) this.#assign(target, values[at] as Value, scope);
  }

  /** Passes on the text of a body with a scope of its own, after filters; none of a body that ends a round of a loop. */
  #capture(
    { filters, body }: { readonly filters: readonly Applied[]; readonly body: Body },
    scope: Scope,
    take: (value: Value) => void,
  ): End {
    const inner = new Scope(scope);
    const output = this.#output();
    const end = this.#run(body, inner, output);
    if (end !== undefined) return end;
    take(filters.reduce<Value>((value, filter) => this.#evaluator.apply(filter, value, inner), output.text));
    return undefined;
  }

  #if({ branches, otherwise }: Extract<TemplateStatement, { kind: "if" }>, scope: Scope, output: Output): End {
    for (const { test, body } of branches)
      if (isTrue(this.#evaluator.evaluate(test, scope))) return this.#run(body, scope, output);
    return this.#run(otherwise, scope, output);
  }

  #for(
    loop: Loop,
    value: Value,
    { scope, output, depth }: { readonly scope: Scope; readonly output: Output; readonly depth: number },
  ): End {
    const recurse = loop.isRecursive ? (inner: Value) => this.#recurse(loop, inner, scope, depth) : undefined;
    const context = new LoopContext(this.#selected(loop, value, scope), depth, recurse);
    // As in Jinja2, a round that `break` or `continue` ends does not count.
    let isEmpty = true;
    for (let item = context.next(); item !== undefined; item = context.next()) {
      const inner = new Scope(scope);
      if (loop.usesLoop) inner.set("loop", context);
      this.#assign(loop.target, item, inner);
      const end = this.#run(loop.body, inner, output);
      if (end === "break") break;
      if (end === undefined) isEmpty = false;
    }
    return isEmpty ? this.#run(loop.otherwise, new Scope(scope), output) : undefined;
  }

  #recurse(loop: Loop, value: Value, scope: Scope, depth: number): Value {
    const output = this.#output();
    this.#for(loop, value, { scope, output, depth: depth + 1 });
    return output.text;
  }

  /** The items that pass the loop's own test. */
  #selected({ test, target }: Loop, value: Value, scope: Scope): Iterable<Value> {
    const items = iterate(value);
    if (test === undefined) return typeof items === "string" ? [...items] : items;
    return filtered(items, (item) => {
      const inner = new Scope(scope);
      this.#assign(target, item, inner);
      return isTrue(this.#evaluator.evaluate(test, inner));
    });
  }

  #macro(macro: Macro, scope: Scope): MacroObject {
    return new MacroObject(macro, (variables) => this.#renderMacro(macro, variables, scope));
  }

  #renderMacro(macro: Macro, variables: MacroVariables, scope: Scope): string {
    const { line } = this;
    const inner = new Scope(scope);
    for (const [name, value] of variables) if (value !== undefined) inner.set(name, value);
    for (const { name, other } of macro.parameters)
      if (variables.get(name) === undefined)
        inner.set(
          name,
          other === undefined
            ? new Undefined(() => `parameter '${name}' was not provided`)
            : this.#evaluator.evaluate(other, inner),
        );
    const text = this.render(macro.body, inner);
    this.line = line;
    return text;
  }

  #callBlock({ callee, args, caller }: Extract<TemplateStatement, { kind: "call-block" }>, scope: Scope): Value {
    const evaluator = this.#evaluator;
    const { positional, named } = evaluator.arguments(args, scope);
    if (named.has("caller")) throw typeError("got multiple values for keyword argument 'caller'");
    const withCaller = new Map(named).set("caller", this.#macro(caller, scope));
    return evaluator.call(evaluator.evaluate(callee, scope), { positional, named: withCaller });
  }

  #with({ values, body }: Extract<TemplateStatement, { kind: "with" }>, scope: Scope, output: Output): End {
    const inner = new Scope(scope);
    for (const { target, value } of values) this.#assign(target, this.#evaluator.evaluate(value, scope), inner);
    return this.#run(body, inner, output);
  }
}

/** The text of a block. @throws PythonError for a value that is no text */
function written(value: Value): string {
  if (isText(value)) return textArgument(value);
  throw typeError(`expected str instance, ${typeNameOf(value)} found`);
}

function* filtered(items: Iterable<Value>, passes: (item: Value) => boolean): Iterable<Value> {
  for (const item of items) if (passes(item)) yield item;
}
