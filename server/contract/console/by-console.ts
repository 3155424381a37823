/** Header of the console's own calls to the provider simulator. Calls to `/sim/` with it are not recorded. */
export const byConsoleHeader = "x-hearth-console";
