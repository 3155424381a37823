import { operations, type BoundArguments } from "../values/arguments.ts";
import { isTrue, iterableItems, iterate } from "../values/iterate.ts";
import { PythonError, valueError } from "../values/python-error.ts";
import { pythonText } from "../values/represent.ts";
import { typeNameOf } from "../values/type-name.ts";
import { Dict, isText, Markup, Undefined, type Rendering, type Value } from "../values/value.ts";
import { escapeMarkup } from "../text/escape-markup.ts";

/** Percent-encoded; a slash stays, except in a query. */
function encoded(value: Value, isQuery: boolean, run: Rendering): string {
  const plain = pythonText(value, run.mostCharacters);
  if (!plain.isWellFormed()) throw valueError("surrogates not allowed");
  const text = encodeURIComponent(plain).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return isQuery ? text.replaceAll("%20", "+") : text.replaceAll("%2F", "/");
}

/** @throws PythonError for a value that is no pair */
function pairOf(value: Value): readonly [Value, Value] {
  const [first, second, ...rest] = iterate(value);
  if (first === undefined || second === undefined || rest.length > 0) throw valueError("not a pair of two values");
  return [first, second];
}

function urlEncoded(value: Value, _args: BoundArguments, run: Rendering): string {
  const items = isText(value) ? undefined : iterableItems(value);
  if (items === undefined) return encoded(value, false, run);
  const pairs = value instanceof Dict ? value.entries() : Array.from(items, pairOf);
  const texts = Array.from(pairs, ([key, each]) => `${encoded(key, true, run)}=${encoded(each, true, run)}`);
  return texts.join("&");
}

function markupAttributes(value: Value, [autospace = true]: BoundArguments, run: Rendering): string {
  if (value instanceof Undefined) value.fail();
  if (!(value instanceof Dict))
    throw new PythonError("AttributeError", `'${typeNameOf(value)}' object has no attribute 'items'`);
  const escaped = (each: Value) =>
    escapeMarkup(each instanceof Markup ? each : pythonText(each, run.mostCharacters)).text;
  const attributes: string[] = [];
  for (const [key, each] of value.entries()) {
    if (each === null || each instanceof Undefined) continue;
    if (isText(key) && /[\s/>=]/.test(pythonText(key, run.mostCharacters)))
      throw valueError("Invalid character in attribute name");
    attributes.push(`${escaped(key)}="${escaped(each)}"`);
  }
  return (isTrue(autospace) && attributes.length > 0 ? " " : "") + attributes.join(" ");
}

export const markupFilters = operations<Value>({
  "urlencode()": urlEncoded,
  "xmlattr(autospace?)": markupAttributes,
});
