/** `npm run check`. */
import { runChecks, tellCheck } from "./checks.ts";

const results = await runChecks("quick", tellCheck);
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
