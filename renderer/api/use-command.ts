import { commandLine } from "../../server/contract/console/console.ts";
import { useOverview } from "./use-overview.ts";

/** Makes the line to type in a terminal for a command of the Hearth that serves the page. */
export function useCommand(): (args: string) => string {
  const { command = { name: "hearth", flags: "" } } = useOverview().data ?? {};
  return (args) => commandLine(command, args);
}
