/** `hearth check-project`: the platform's operations that a program uses, with their class here. */
import { resolve } from "node:path";
import { countClasses, viewOperation } from "../../contract/provider/operations/published-operations.ts";
import { printError, printLine } from "../../process/terminal/print-text.ts";
import type { CommandContext } from "../command.ts";
import { fidelityLine } from "../../actions/platform/fidelity.ts";
import type { CheckProjectInput } from "./check-project-input.ts";
import { findUsedOperations } from "./find-used-operations.ts";

export async function checkProjectCommand(
  { dir, json = false }: CheckProjectInput,
  { cwd }: Pick<CommandContext, "cwd">,
): Promise<number> {
  const checked = await findUsedOperations(resolve(cwd, dir)).catch((error: NodeJS.ErrnoException) => error);
  if (checked instanceof Error) {
    printError(`${dir} cannot be read (${checked.code ?? checked.message}). Name a folder that you may read.`);
    return 1;
  }
  const { used, cut } = checked;
  if (cut) printError("The program is too large: some files were skipped.");
  const views = used.map(({ operation, place }) => ({ ...viewOperation(operation), place }));
  if (json) printLine(JSON.stringify(views));
  else {
    for (const view of views) printLine(`${fidelityLine(view)}  ${view.place}`);
    const { exact, partial, not_simulated } = countClasses(used.map(({ operation }) => operation));
    printLine(`${String(exact)} exact, ${String(partial)} partial, ${String(not_simulated)} not simulated`);
  }
  return 0;
}
