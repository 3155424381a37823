/**
 * Interprets Jinja like Python: the library's interpreter refuses values that Jinja2 converts, and writes some like
 * JavaScript.
 */
import { Interpreter } from "@huggingface/jinja";
import {
  booleanValue,
  isList,
  isMapping,
  isTextValue,
  keyText,
  listValue,
  MappingValue,
  pythonText,
  textValue,
  undefinedValue,
  type Scope,
  type Value,
} from "./jinja-values.ts";
import { mostItems, tooManyItems } from "./too-large-error.ts";

/** A part of a parsed template. */
interface Part {
  readonly type: string;
  readonly [member: string]: unknown;
}
interface LibraryInterpreter {
  evaluate(part: Part | undefined, scope: Scope): Value;
  run(program: unknown): Value;
}

/** A part whose value is known: the library evaluates each operand itself. */
const known = (value: Value): Part => ({ type: "Known", value });

/** Parts that write nothing themselves; all others write their value. */
const silent = new Set(["Set", "Macro", "Comment"]);

/** Filters of the result of str(). */
const textFilters = new Set(["upper", "lower", "title", "capitalize", "trim", "indent", "replace", "string"]);
/** Filters that treat none as an empty list. */
const lazyFilters = new Set(["map", "select", "reject", "selectattr", "rejectattr"]);
const listFilters = new Set([...lazyFilters, "list", "first", "last", "join", "length", "reverse", "sort", "unique"]);

interface Filter {
  readonly name: string;
  readonly args: readonly Part[];
}

function filterOf(part: Part): Filter {
  if (part.type === "Identifier") return { name: part["value"] as string, args: [] };
  return { name: (part["callee"] as Part)["value"] as string, args: part["args"] as readonly Part[] };
}

/** The part that applies a filter. The library has some filters only without arguments, and `default` only with. */
function filterPart({ name, args }: Filter, operand: Value): Part {
  const identifier = { type: "Identifier", value: name };
  const isBare = args.length === 0 && name !== "default";
  const filter = isBare ? identifier : { type: "CallExpression", callee: identifier, args };
  return { type: "FilterExpression", operand: known(operand), filter };
}

/** The library represents none by undefined, too. */
const isSame = (one: Value, other: Value) =>
  one.value === other.value && (one.value !== undefined || one.type === other.type);

export class JinjaInterpreter extends (Interpreter as unknown as new (scope: Scope) => LibraryInterpreter) {
  readonly mostCharacters: number;
  constructor(scope: Scope, mostCharacters: number) {
    super(scope);
    this.mostCharacters = mostCharacters;
  }

  override evaluate(part: Part | undefined, scope: Scope): Value {
    if (part === undefined) return super.evaluate(part, scope);
    switch (part.type) {
      case "Known":
        return part["value"] as Value;
      case "For":
        return this.#loop(part, scope);
      case "FilterExpression":
        return this.#filter(filterOf(part["filter"] as Part), this.#child(part, "operand", scope), scope);
      case "BinaryExpression":
        return this.#binary(part, scope);
      case "MemberExpression":
        return this.#member(part, scope);
      case "TestExpression":
        return this.#test(part, scope);
      case "ObjectLiteral":
        return new MappingValue(
          [...(part["value"] as Map<Part, Part>)].map(([key, value]) => [
            this.evaluate(key, scope),
            this.evaluate(value, scope),
          ]),
        );
      default:
        return super.evaluate(part, scope);
    }
  }

  /** Replaces the library's own, which writes nothing for none and undefined, and JSON for lists. */
  evaluateBlock(parts: readonly Part[], scope: Scope): Value {
    let text = "";
    for (const part of parts) {
      const value = this.evaluate(part, scope);
      if (!silent.has(part.type)) text += this.#text(value);
    }
    return textValue(text);
  }

  #text(value: Value): string {
    return pythonText(value, this.mostCharacters);
  }

  #child(part: Part, name: string, scope: Scope): Value {
    return this.evaluate(part[name] as Part, scope);
  }

  /** The items of what Python iterates; other values as they are, for the library to refuse. */
  #iterable(value: Value): Value {
    if (value.type === "UndefinedValue") return listValue([]);
    if (isMapping(value)) return value.keys();
    if (!isTextValue(value)) return value;
    const text = value.value as string;
    if (text.length > mostItems) throw tooManyItems();
    return listValue(Array.from(text, textValue));
  }

  #loop(part: Part, scope: Scope): Value {
    const iterable = part["iterable"] as Part;
    const isSelected = iterable.type === "SelectExpression";
    const items = known(
      this.#iterable(isSelected ? this.#child(iterable, "lhs", scope) : this.evaluate(iterable, scope)),
    );
    return super.evaluate({ ...part, iterable: isSelected ? { ...iterable, lhs: items } : items }, scope);
  }

  #filter(filter: Filter, value: Value, scope: Scope): Value {
    const { name } = filter;
    if (textFilters.has(name)) return this.#filtered(filter, textValue(this.#text(value)), scope);
    if (name === "items" || name === "dictsort") return this.#pairs(filter, value, scope);
    if (!listFilters.has(name)) return this.#filtered(filter, value, scope);
    if (name === "length" && (isTextValue(value) || isMapping(value))) return this.#filtered(filter, value, scope);
    const isNothing = value.type === "NullValue" && lazyFilters.has(name);
    return this.#listFilter(filter, isNothing ? listValue([]) : this.#iterable(value), scope);
  }

  #filtered(filter: Filter, operand: Value, scope: Scope): Value {
    return super.evaluate(filterPart(filter, operand), scope);
  }

  #pairs(filter: Filter, value: Value, scope: Scope): Value {
    if (filter.name === "items" && value.type === "UndefinedValue") return listValue([]);
    if (!isMapping(value)) return this.#filtered(filter, value, scope);
    if (filter.name === "items") return value.items();
    if (filter.args.length > 0 || !(value instanceof MappingValue)) return this.#filtered(filter, value, scope);
    const byKey = {
      type: "KeywordArgumentExpression",
      key: { value: "attribute" },
      value: { type: "IntegerLiteral", value: 0 },
    };
    return this.#filtered({ name: "sort", args: [byKey] }, value.items(), scope);
  }

  #listFilter(filter: Filter, value: Value, scope: Scope): Value {
    if (!isList(value)) return this.#filtered(filter, value, scope);
    const { name, args } = filter;
    const items = value.value as readonly Value[];
    if ((name === "first" || name === "last") && items.length === 0) return undefinedValue;
    if (name === "join")
      return this.#filtered(filter, listValue(items.map((item) => textValue(this.#text(item)))), scope);
    const [first, ...rest] = args;
    if (name !== "map" || first === undefined || first.type.startsWith("Keyword"))
      return this.#filtered(filter, value, scope);
    const inner = { name: this.#text(this.evaluate(first, scope)), args: rest };
    return listValue(items.map((item) => this.evaluate(filterPart(inner, item), scope)));
  }

  #binary(part: Part, scope: Scope): Value {
    const operator = (part["operator"] as { readonly value: string }).value;
    if (operator === "~")
      return textValue(this.#text(this.#child(part, "left", scope)) + this.#text(this.#child(part, "right", scope)));
    if (operator !== "in" && operator !== "not in") return super.evaluate(part, scope);
    const left = this.#child(part, "left", scope);
    const right = this.#child(part, "right", scope);
    const isIn = operator === "in";
    if (isList(right))
      return booleanValue((right.value as readonly Value[]).some((item) => isSame(item, left)) === isIn);
    if (isMapping(right) && !isTextValue(left)) return booleanValue(right.value.has(keyText(left)) === isIn);
    return super.evaluate({ ...part, left: known(left), right: known(right) }, scope);
  }

  #test(part: Part, scope: Scope): Value {
    const operand = this.#child(part, "operand", scope);
    if ((part["test"] as Part)["value"] !== "iterable")
      return super.evaluate({ ...part, operand: known(operand) }, scope);
    return booleanValue(isList(this.#iterable(operand)) !== part["negate"]);
  }

  #member(part: Part, scope: Scope): Value {
    const property = part["property"] as Part;
    if (part["computed"] !== true || property.type === "SliceExpression") return super.evaluate(part, scope);
    const object = this.#child(part, "object", scope);
    const key = this.evaluate(property, scope);
    if (isTextValue(key) || ((isList(object) || isTextValue(object)) && key.type === "IntegerValue"))
      return super.evaluate({ ...part, object: known(object), property: known(key) }, scope);
    return (isMapping(object) && !isList(key) && !isMapping(key) && object.value.get(keyText(key))) || undefinedValue;
  }
}
