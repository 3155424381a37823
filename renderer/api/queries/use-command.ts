import { commandLine } from "../../../server/contract/console/console.ts";
import { useOverview } from "./use-overview.ts";

/** Returns a command line for the Hearth that serves the page. */
export function useCommand(): (args: string) => string {
  const { command = { name: "hearth", flags: "" } } = useOverview().data ?? {};
  return (args) => commandLine(command, args);
}
