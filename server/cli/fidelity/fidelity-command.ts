/** `hearth fidelity`: the platform's published operations, and how far each is simulated. */
import type { Fidelity } from "../../contract/provider/operations/fidelity-schema.ts";
import {
  countClasses,
  operationsOfProduct,
  viewOperation,
} from "../../contract/provider/operations/published-operations.ts";
import { printError, printLine } from "../../process/terminal/print-text.ts";
import type { FidelityInput } from "./fidelity-input.ts";

export const fidelityLine = ({ method, path, product, class: name, missing = [] }: Fidelity) =>
  [name.padEnd("not_simulated".length), method.padEnd("DELETE".length), path, `(${product})`, missing.join("; ")]
    .join("  ")
    .trimEnd();

export function showFidelity({ product = "", json = false }: FidelityInput): number {
  const operations = operationsOfProduct(product);
  if (json) printLine(JSON.stringify(operations.map(viewOperation)));
  else if (operations.length === 0) {
    printError(`No product's name contains "${product}". List all with "hearth fidelity".`);
    return 1;
  } else {
    for (const operation of operations) printLine(fidelityLine(viewOperation(operation)));
    const { exact, partial, not_simulated } = countClasses(operations);
    const counts = [exact, partial, not_simulated].map(String);
    printLine(`${counts[0]} exact, ${counts[1]} partial, ${counts[2]} not simulated`);
  }
  return 0;
}
