/** The reason that a chat gets where the engine is not installed. The console reads the command in it. */
const reason = "it is not installed; to add it: ";

export const missingEngine = (command: string): string => reason + command;

/** The command that adds the engine, if the error of an answer names one. */
export function commandToAddEngine(error: string): string | undefined {
  const at = error.indexOf(reason);
  return at === -1 ? undefined : error.slice(at + reason.length);
}
