/** The filters that apply another filter or test to each item. */
import { textArgument, type ValueOperation } from "../values/arguments.ts";
import { isTrue, iterate } from "../values/iterate.ts";
import { PythonError } from "../values/python-error.ts";
import { Generator, type Arguments, type Rendering, type Value } from "../values/value.ts";
import { attributePath } from "../members.ts";

const refuse = (message: string) => new PythonError("FilterArgumentError", message);

/** The function of `map('filter', …)` or `map(attribute='name', default=…)`. */
function mapping({ positional, named }: Arguments, run: Rendering): (item: Value) => Value {
  const attribute = named.get("attribute");
  if (positional.length === 0 && attribute !== undefined) {
    const extra = [...named.keys()].find((name) => name !== "attribute" && name !== "default");
    if (extra !== undefined) throw refuse(`Unexpected keyword argument '${extra}'`);
    return attributePath(attribute, named.get("default") ?? null);
  }
  const [name, ...rest] = positional;
  if (name === undefined) throw refuse("map requires a filter argument");
  return (item) => run.filter(textArgument(name), item, { positional: rest, named });
}

/** Whether an item, or an attribute of it, passes the test. */
function selection({ positional, named }: Arguments, ofAttribute: boolean, run: Rendering): (item: Value) => boolean {
  const [attribute, ...behind] = positional;
  if (ofAttribute && attribute === undefined) throw refuse("Missing parameter for attribute name");
  const path = ofAttribute ? attributePath(attribute as Value) : (item: Value) => item;
  const [name, ...rest] = ofAttribute ? behind : positional;
  if (name === undefined) return (item) => isTrue(path(item));
  return (item) => run.test(textArgument(name), path(item), { positional: rest, named });
}

function* mapped(value: Value, args: Arguments, run: Rendering): Iterable<Value> {
  if (!isTrue(value)) return;
  const apply = mapping(args, run);
  for (const item of iterate(value)) yield apply(item);
}

const selecting =
  (isSelected: boolean, ofAttribute: boolean): ValueOperation<Value> =>
  (value, args, run) => {
    function* selected(): Iterable<Value> {
      if (!isTrue(value)) return;
      const passes = selection(args, ofAttribute, run);
      for (const item of iterate(value)) if (passes(item) === isSelected) yield item;
    }
    return new Generator(selected());
  };

export const selectFilters: ReadonlyMap<string, ValueOperation<Value>> = new Map([
  ["map", (value: Value, args: Arguments, run: Rendering) => new Generator(mapped(value, args, run))],
  ["select", selecting(true, false)],
  ["reject", selecting(false, false)],
  ["selectattr", selecting(true, true)],
  ["rejectattr", selecting(false, true)],
]);
