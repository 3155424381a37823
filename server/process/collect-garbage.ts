import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (how: { execution: "async"; flavor: "last-resort" }) => Promise<void>;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as Collect;

/**
 * Makes the runtime give back what nothing refers to any more. It does not by itself in a process that has nothing to do,
 * as the runner and the model service when the last model is gone: headers, tokens and texts make up a hundred megabytes.
 */
export const collectGarbage = (): void => void collect({ execution: "async", flavor: "last-resort" });
