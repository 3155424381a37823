import type { Macro } from "./syntax/syntax-tree.ts";
import { typeError } from "./values/python-error.ts";
import { Dict, PythonObject, Tuple, Undefined, type Arguments, type Value } from "./values/value.ts";

/** The variables that a macro's body begins with; undefined for a parameter that was left out. */
export type MacroVariables = ReadonlyMap<string, Value | undefined>;

/** Attributes that are true where the macro's body uses a variable. */
const flags = new Map([
  ["catch_kwargs", "kwargs"],
  ["catch_varargs", "varargs"],
  ["caller", "caller"],
]);

/** A macro, as a template calls it. */
export class MacroObject extends PythonObject {
  override readonly typeName = "Macro";
  readonly #macro: Macro;
  readonly #render: (variables: MacroVariables) => string;
  constructor(macro: Macro, render: (variables: MacroVariables) => string) {
    super();
    this.#macro = macro;
    this.#render = render;
  }

  override attribute(name: string): Value | undefined {
    const { parameters, uses } = this.#macro;
    if (name === "name") return this.#macro.name;
    if (name === "arguments") return new Tuple(parameters.map((parameter) => parameter.name));
    const variable = flags.get(name);
    return variable === undefined ? undefined : uses.has(variable);
  }

  override readonly call = (args: Arguments): Value => this.#render(this.#bind(args));

  #bind({ positional, named }: Arguments): MacroVariables {
    const { parameters, uses, name } = this.#macro;
    const left = new Map(named);
    const variables = new Map<string, Value | undefined>();
    for (const [at, parameter] of parameters.entries()) {
      const byName = at < positional.length ? undefined : left.get(parameter.name);
      if (at >= positional.length) left.delete(parameter.name);
      variables.set(parameter.name, at < positional.length ? positional[at] : byName);
    }
    if (uses.has("caller") && !variables.has("caller")) {
      variables.set("caller", left.get("caller") ?? new Undefined(() => "No caller defined"));
      left.delete("caller");
    }
    if (uses.has("kwargs")) variables.set("kwargs", new Dict(left));
    else this.#refuseNamed(left);
    if (uses.has("varargs")) variables.set("varargs", new Tuple(positional.slice(parameters.length)));
    else if (positional.length > parameters.length)
      throw typeError(`macro '${name}' takes not more than ${parameters.length} argument(s)`);
    return variables;
  }

  #refuseNamed(named: ReadonlyMap<string, Value>): void {
    const [first] = named.keys();
    if (first === undefined) return;
    if (named.has("caller"))
      throw typeError(`macro '${this.#macro.name}' was invoked with two values for the special caller argument`);
    throw typeError(`macro '${this.#macro.name}' takes no keyword argument '${first}'`);
  }
}
