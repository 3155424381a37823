import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (how: { execution: "async"; flavor: "last-resort" }) => Promise<void>;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as Collect;

/**
 * Releases unreferenced memory. The runtime does not do so in an idle process, such as the runner and the model service
 * after the last model is unloaded: headers, tokens and texts take up a hundred megabytes.
 */
export const collectGarbage = (): void => void collect({ execution: "async", flavor: "last-resort" });
