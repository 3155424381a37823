/** `npm run check`. */
import { runChecks, printCheck } from "./checks/checks.ts";

const results = await runChecks("quick", printCheck);
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
