/** Fields of structs, entries of maps, and methods: what a name behind a dot finds. */
import {
  GoError,
  GoMap,
  GoPointer,
  goTypeName,
  GoStruct,
  indirect,
  isComposite,
  type GoMethod,
  type GoValue,
} from "./go-values.ts";

function methodOf(receiver: GoValue, name: string): GoMethod | undefined {
  if (!isComposite(receiver)) return undefined;
  const own = receiver.type.methods?.get(name);
  if (own !== undefined || !(receiver instanceof GoPointer)) return own;
  const { value } = indirect(receiver);
  return isComposite(value) ? value.type.methods?.get(name) : undefined;
}

/** A method comes before a field. `missing`: the value of a missing key of a map. @throws GoError */
export function namedValue(receiver: GoValue, name: string, missing: "zero" | "none"): GoValue {
  const method = methodOf(receiver, name);
  if (method !== undefined) return method(receiver);
  const { value, isNil } = indirect(receiver);
  if (isNil) throw new GoError(`nil pointer evaluating ${goTypeName(receiver)}.${name}`);
  if (value instanceof GoStruct && value.fields.has(name)) return value.fields.get(name);
  if (value instanceof GoMap) {
    if (value.entries.has(name)) return value.entries.get(name);
    return missing === "zero" ? value.type.zero : undefined;
  }
  throw new GoError(`can't evaluate field ${name} in type ${goTypeName(receiver)}`);
}
