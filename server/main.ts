/** The `app` process of a supervised run. The simulator has a thread of its own. */
import { setFlagsFromString } from "node:v8";
import { startProviderThread } from "./provider/start-thread.ts";
import { runApp } from "./run-app.ts";

const entry = new URL(import.meta.url.endsWith(".ts") ? "./provider/thread.ts" : "./provider.js", import.meta.url);

await runApp((options) => {
  const simulator = startProviderThread({ entry, ...options });
  // Collects garbage at the pace of the calls. By default V8 lets several times the live memory accumulate and returns
  // none of it, so that the process would seem to grow for hours. Set only once the thread runs, because Node's
  // precompiled code does not match changed flags.
  simulator.opened.then(
    () => setFlagsFromString("--heap-growing-percent=100"),
    () => undefined,
  );
  return simulator;
});
