import { mostItems, tooManyCharacters, tooManyItems } from "../too-large-error.ts";
import { filters } from "./filters/filters.ts";
import { callValue, elementOf, attributeOrItem, sliceOf } from "./members.ts";
import type { Scope } from "./scope.ts";
import type { Applied, CallArguments, Expression, SliceBounds } from "./syntax/syntax-tree.ts";
import { tests } from "./tests.ts";
import { holdsBetween } from "./values/compare.ts";
import { isTrue, iterate } from "./values/iterate.ts";
import { operate, withSign } from "./values/operators.ts";
import { PythonError, typeError } from "./values/python-error.ts";
import { pythonText } from "./values/represent.ts";
import { typeNameOf } from "./values/type-name.ts";
import { Dict, isList, Tuple, Undefined, type Arguments, type Rendering, type Value } from "./values/value.ts";

/** The names of all filters and tests. */
export const knownNames = { filters: new Set(filters.keys()), tests: new Set(tests.keys()) };

function nameIn(scope: Scope, name: string): Value {
  const value = scope.get(name);
  return value === undefined ? new Undefined(() => `'${name}' is undefined`) : value;
}

/** Evaluates expressions. */
export class Evaluator implements Rendering {
  readonly mostCharacters: number;
  constructor(mostCharacters: number) {
    this.mostCharacters = mostCharacters;
  }

  filter(name: string, value: Value, args: Arguments): Value {
    const filter = filters.get(name);
    if (filter === undefined) throw new PythonError("TemplateRuntimeError", `No filter named '${name}' found.`);
    return this.#bounded(filter(value, args, this));
  }

  test(name: string, value: Value, args: Arguments): boolean {
    const test = tests.get(name);
    if (test === undefined) throw new PythonError("TemplateRuntimeError", `No test named '${name}' found.`);
    return isTrue(test(value, args, this));
  }

  /** The text that `{{ value }}` writes. @throws TooLargeError */
  pythonText(value: Value): string {
    return pythonText(value, this.mostCharacters);
  }

  /** @throws PythonError for what Python refuses; TooLargeError */
  evaluate(expression: Expression, scope: Scope): Value {
    switch (expression.kind) {
      case "constant":
        return expression.value;
      case "name":
        return nameIn(scope, expression.name);
      case "attribute":
        return attributeOrItem(this.evaluate(expression.object, scope), expression.name);
      case "item":
        return elementOf(this.evaluate(expression.object, scope), this.evaluate(expression.key, scope));
      case "slice":
        return sliceOf(this.evaluate(expression.object, scope), this.#slice(expression.bounds, scope));
      case "call":
        return this.call(this.evaluate(expression.callee, scope), this.arguments(expression.args, scope));
      case "filter":
        return this.apply(expression, this.evaluate(expression.operand, scope), scope);
      case "test":
        return this.test(
          expression.name,
          this.evaluate(expression.operand, scope),
          this.arguments(expression.args, scope),
        );
      case "compare":
        return this.#compare(expression, scope);
      case "and":
      case "or": {
        const left = this.evaluate(expression.left, scope);
        return isTrue(left) === (expression.kind === "and") ? this.evaluate(expression.right, scope) : left;
      }
      case "not":
        return !isTrue(this.evaluate(expression.operand, scope));
      case "conditional":
        return this.#conditional(expression, scope);
      case "binary":
        return this.#bounded(
          operate(
            this.evaluate(expression.left, scope),
            expression.operator,
            this.evaluate(expression.right, scope),
            this,
          ),
        );
      case "concatenate":
        return this.#concatenate(expression.parts, scope);
      case "sign":
        return withSign(expression.operator, this.evaluate(expression.operand, scope));
      case "list":
        return expression.items.map((item) => this.evaluate(item, scope));
      case "tuple":
        return new Tuple(expression.items.map((item) => this.evaluate(item, scope)));
      case "dict":
        return new Dict(
          expression.pairs.map(([key, value]) => [this.evaluate(key, scope), this.evaluate(value, scope)] as const),
        );
    }
  }

  call(callee: Value, args: Arguments): Value {
    return this.#bounded(callValue(callee, args, this));
  }

  /** The result of a filter with its arguments. */
  apply({ name, args }: Applied, value: Value, scope: Scope): Value {
    return this.filter(name, value, this.arguments(args, scope));
  }

  arguments({ positional, named, spread, spreadNamed }: CallArguments, scope: Scope): Arguments {
    const values = positional.map((argument) => this.evaluate(argument, scope));
    if (spread !== undefined) values.push(...iterate(this.evaluate(spread, scope)));
    const byName = new Map(named.map(([name, value]) => [name, this.evaluate(value, scope)]));
    if (spreadNamed !== undefined) this.#spread(this.evaluate(spreadNamed, scope), byName);
    return { positional: values, named: byName };
  }

  #spread(mapping: Value, named: Map<string, Value>): void {
    if (!(mapping instanceof Dict)) throw typeError(`argument after ** must be a mapping, not ${typeNameOf(mapping)}`);
    for (const [key, value] of mapping.entries()) {
      if (typeof key !== "string") throw typeError("keywords must be strings");
      if (named.has(key)) throw typeError(`got multiple values for keyword argument '${key}'`);
      named.set(key, value);
    }
  }

  #slice({ start, stop, step }: SliceBounds, scope: Scope) {
    const bound = (expression: Expression | undefined) => (expression ? this.evaluate(expression, scope) : null);
    return { start: bound(start), stop: bound(stop), step: bound(step) };
  }

  #compare({ first, rest }: Extract<Expression, { kind: "compare" }>, scope: Scope): boolean {
    let left = this.evaluate(first, scope);
    for (const [operator, operand] of rest) {
      const right = this.evaluate(operand, scope);
      if (!holdsBetween(left, operator, right)) return false;
      left = right;
    }
    return true;
  }

  #conditional({ test, then, otherwise }: Extract<Expression, { kind: "conditional" }>, scope: Scope): Value {
    if (isTrue(this.evaluate(test, scope))) return this.evaluate(then, scope);
    if (otherwise !== undefined) return this.evaluate(otherwise, scope);
    return new Undefined(() => "the inline if-expression evaluated to false and no else section was defined.");
  }

  #concatenate(parts: readonly Expression[], scope: Scope): Value {
    let text = "";
    for (const part of parts) text += this.pythonText(this.evaluate(part, scope));
    return this.#bounded(text);
  }

  #bounded(value: Value): Value {
    if (typeof value === "string" && value.length > this.mostCharacters) throw tooManyCharacters(this.mostCharacters);
    if (isList(value) && value.length > mostItems) throw tooManyItems();
    return value;
  }
}
