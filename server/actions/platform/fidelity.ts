import { z } from "zod";
import { fidelitySchema, type Fidelity } from "../../contract/provider/operations/fidelity-schema.ts";
import { text } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import { ActionError } from "../action-error.ts";

export const fidelityLine = ({ method, path, product, class: name, missing = [] }: Fidelity) =>
  [name.padEnd("not_simulated".length), method.padEnd("DELETE".length), path, `(${product})`, missing.join("; ")]
    .join("  ")
    .trimEnd();

export const fidelity = action({
  name: "fidelity",
  group: "Develop against Hearth",
  summary: "list the platform's operations and how closely Hearth simulates each",
  input: z.object({ product: text("NAME", "list only products whose English or Chinese name contains NAME") }).describe(
    `Lists every operation of the platform's published API with its class: exact (as described, with its errors), partial (the missing \
parts are listed) or not_simulated (HTTP status 501 with a code that the platform never uses).`,
  ),
  output: z.array(fidelitySchema),
  effect: "reads",
  async run(_, { product = "" }) {
    // The list is long, and other commands do not need it.
    const { operationsOfProduct, viewOperation } =
      await import("../../contract/provider/operations/published-operations.ts");
    const operations = operationsOfProduct(product).map(viewOperation);
    if (operations.length > 0) return operations;
    throw new ActionError(`No product's name contains "${product}". List all with "hearth fidelity".`);
  },
  print(operations) {
    const count = (name: Fidelity["class"]) => String(operations.filter((one) => one.class === name).length);
    const counts = `${count("exact")} exact, ${count("partial")} partial, ${count("not_simulated")} not simulated`;
    return [...operations.map(fidelityLine), counts].join("\n");
  },
});
