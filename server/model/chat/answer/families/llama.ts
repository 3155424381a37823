/** Llama 3, whose answer itself is a call in JSON, and other families with calls without any markup. */
import { beginsLikeJson, cutBareJson, orBareJson, readBareJson } from "../bare-json.ts";
import { jsonCall, several } from "../call-grammar.ts";
import type { CallSyntax } from "../call-syntax.ts";
import type { Family } from "./family.ts";

const bareCalls = (
  { open, ignored }: Pick<CallSyntax, "open" | "ignored">,
  grammar: CallSyntax["grammar"],
): CallSyntax => ({ open, ignored, mayBeBare: beginsLikeJson, read: readBareJson, readCut: cutBareJson, grammar });
const noMarkup = { open: [], ignored: [] };

/** `{"name": …, "parameters": …}`, several with ";" or a line end between them. */
export const llamaCalls = bareCalls({ open: ["<|python_tag|>"], ignored: ["<|eom_id|>"] }, (tools, rules, most) =>
  several(jsonCall(tools, rules, { name: "name", arguments: "parameters" }), '"; "', most),
);

export const llama: Family = {
  name: "llama-3",
  written: /"parameters"/,
  taught: /["']parameters["']\s*:\s*dictionary|ipython/,
  calls: llamaCalls,
};

/** xLAM 2 and others: `[{"name": …, "arguments": …}]`. */
export const bareList: Family = {
  name: "bare-list",
  written: /\[\s*\{\s*"name"/,
  calls: orBareJson(
    bareCalls(noMarkup, (tools, rules, most) => `"[" ${several(jsonCall(tools, rules), '", "', most)} "]"`),
  ),
};

/** `{"name": …, "arguments": …}` without a list. */
export const bareObject: Family = {
  name: "bare-object",
  written: /\{\s*"name"/,
  calls: orBareJson(bareCalls(noMarkup, (tools, rules, most) => several(jsonCall(tools, rules), '"\\n"', most))),
};
