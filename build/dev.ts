/**
 * `npm run dev`: runs every service from the sources. A change below server/ rebuilds its bundle and restarts only that
 * service. Vite serves the page and applies changes to it while it is open. Takes Hearth's flags.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { context, type BuildOptions, type Plugin } from "esbuild";
import { createServer } from "vite";
import { loginCodeParameter, type LoginCode } from "../server/contract/console/console-logins.ts";
import { serviceNameSchema, type ServiceName } from "../server/contract/process/services.ts";
import { createLogPrinter, statusReporter } from "../server/process/terminal/print-log.ts";
import { parseSettings } from "../server/process/command-line/parse-input.ts";
import { resolveSettings, readOrigins, SettingsError } from "../server/process/settings/read-settings.ts";
import { onStopRequest } from "../server/process/lifetime/stop-request.ts";
import { createNodeFork } from "../server/supervisor/processes/fork-node.ts";
import { describeHolder, takeInstanceLock } from "../server/supervisor/data-directory/instance-lock.ts";
import type { ReadyFileContent } from "../server/supervisor/ready-file.ts";
import { prepareDataDir } from "../server/supervisor/data-directory/prepare-data-dir.ts";
import { startRun, type Run } from "../server/supervisor/run.ts";
import { RunError } from "../server/supervisor/run-error.ts";
import { forgetBuilt } from "./built-parts.mjs";
import { bundleNode, nodeBundles } from "./bundles/bundle-node.ts";
import { root } from "./root.ts";
import { writeApiDocs } from "./docs/write-api-docs.ts";

/** The service whose entry a bundle is; undefined for the command line and the window's shell. */
const serviceOf = ({ entryPoints }: BuildOptions): ServiceName | undefined =>
  serviceNameSchema.safeParse(Object.keys(entryPoints as Record<string, string>)[0]).data;

/** Reports every build except the first, which follows the watch at once. */
const afterRebuild = (onBuilt: () => void): Plugin => ({
  name: "after-rebuild",
  setup(build) {
    let builds = 0;
    build.onEnd(({ errors }) => {
      if (builds++ > 0 && errors.length === 0) onBuilt();
    });
  },
});

async function watchServices(restart: (name: ServiceName) => void): Promise<() => Promise<void>> {
  const contexts = await Promise.all(
    (await nodeBundles()).flatMap((options) => {
      const name = serviceOf(options);
      const plugins = [...(options.plugins ?? []), afterRebuild(() => name !== undefined && restart(name))];
      return name === undefined ? [] : [context({ ...options, plugins })];
    }),
  );
  await Promise.all(contexts.map((one) => one.watch()));
  return async () => void (await Promise.all(contexts.map((one) => one.dispose())));
}

/** Serves the page with Vite, which proxies requests to the services. */
async function servePage({ app, console: address }: ReadyFileContent, login: () => Promise<LoginCode>) {
  process.env["HEARTH_APP_URL"] = app;
  process.env["HEARTH_CONSOLE_URL"] = address;
  const ours = process.listeners("SIGTERM");
  const server = await createServer({ configFile: join(root, "build/bundles/vite.renderer.config.ts") });
  // Vite would end this process at once, before the services stop.
  for (const listener of process.listeners("SIGTERM"))
    if (!ours.includes(listener)) process.removeListener("SIGTERM", listener);
  await server.listen();
  const origin = server.resolvedUrls?.local[0];
  if (origin !== undefined)
    console.log(`The console, reloaded at each change: ${origin}?${loginCodeParameter}=${(await login()).code}`);
  return server;
}

async function main(): Promise<void> {
  const settings = resolveSettings(parseSettings(process.argv.slice(2)));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const printer = createLogPrinter(settings, process.stdout);
  const { promise: over, resolve: end } = Promise.withResolvers<number>();
  onStopRequest(() => end(0));
  prepareDataDir(settings, version);
  const taken = await takeInstanceLock(settings.data_dir, () => ({ pid: process.pid, window: false }));
  if (!("lock" in taken)) throw new RunError(describeHolder(settings.data_dir, taken.holder));

  forgetBuilt(["node", "docs"]);
  await Promise.all([bundleNode(), writeApiDocs()]);
  const entries = { app: "app", model: "model", runner: "runner" };
  for (const name of serviceNameSchema.options) entries[name] = join(root, "dist", `${name}.js`);
  let page: ReturnType<typeof servePage> | undefined;
  const run: Run = startRun({
    settings,
    version,
    fork: createNodeFork(["--enable-source-maps"]),
    entries,
    // The build configuration whose documentation file provides the API description.
    env: { ...process.env, HEARTH_CONFIGURATION: "Debug" },
    origins: readOrigins(settings),
    retriesApp: true,
    onLine: printer.line,
    onStatus: statusReporter(printer),
    onReady(addresses) {
      page = servePage(addresses, () => run.loginCode());
    },
    onWarning: (message) => printer.say("warn", "hearth", message),
    onFatal(reason) {
      console.error(`hearth: ${reason}`);
      end(1);
    },
  });
  const stopWatching = await watchServices((name) => {
    console.log(`${name} has changed`);
    // The comments may have changed as well. While one is missing, the documentation file stays unchanged.
    if (name === "app") writeApiDocs().catch((error: unknown) => console.error(String(error)));
    run.restart(name);
  });

  process.exitCode = await over;
  await stopWatching();
  await (await page)?.close();
  await run.stop();
  await taken.lock.release();
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SettingsError) && !(error instanceof RunError)) throw error;
  console.error(`hearth: ${error.message}`);
  process.exitCode = error instanceof SettingsError ? 2 : 1;
}
