/** Bundles the code for Node and Electron into dist/: one file per process, so that a start reads few files. */
import { cp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BuildOptions } from "esbuild";
import { copyEngineFiles, engineExternals, engineInPlace, engineTestScript } from "./engine-in-place.ts";
import { noteBundledPackages } from "../package/bundled-packages.ts";
import { writeDatabaseScripts } from "./database-scripts.ts";
import { compressedData } from "./compressed-data.ts";
import { compressedOutput } from "./compressed-output.ts";
import { englishZod } from "./english-zod.ts";
import { lazyBuiltins } from "./lazy-builtins.ts";
import { lightHttp } from "./light-http.ts";
import { lightMcp } from "./light-mcp.ts";
import { root } from "../root.ts";
import { copySwaggerUi, swaggerUiInPlace, swaggerUiPackage } from "./swagger-ui-in-place.ts";

/** Packages that cannot be bundled, because they have native code, and those that few need, who add them. */
export const externals = [
  ...["node-llama-cpp", "sharp", "electron"],
  ...["@aws-sdk/client-s3", "@aws-sdk/s3-request-presigner"],
];
/** What brings the tests of those who use the package. */
const testRunners = ["vitest", "@playwright/test"];

/** A start loads less. */
const light = [englishZod, lightHttp, lightMcp, compressedData];

const dist = join(root, "dist");
const chunkFile = /^(?:app|cli|kit|runner)-.*-[0-9A-Z]{8}[.]js([.]map)?$/;

/** CommonJS packages inside an ES module still need `require`. */
const requireBanner =
  'import { createRequire as hearthCreateRequire } from "node:module"; const require = hearthCreateRequire(import.meta.url);';

async function commonOptions(): Promise<BuildOptions> {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  return {
    absWorkingDir: root,
    outdir: dist,
    bundle: true,
    platform: "node",
    format: "esm",
    sourcemap: true,
    // V8 keeps less text in memory, and stack traces keep their names.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    external: externals,
    // Its main file loads its parts by a `require` that a bundler does not see.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    define: { hearthVersion: JSON.stringify(version) },
    logLevel: "warning",
  };
}

const referenceClient = "server/app/console/reference-client/hearth-client.ts";
const readable: BuildOptions = { minifyWhitespace: false, sourcemap: false };

/** The bundles, with the options in which they differ. */
export async function nodeBundles(): Promise<BuildOptions[]> {
  const common = await commonOptions();
  const node: BuildOptions = { ...common, target: "node22", banner: { js: requireBanner }, plugins: light };
  const runner: BuildOptions = {
    ...node,
    sourcemap: false,
    external: [...externals.filter((name) => name !== "node-llama-cpp"), ...engineExternals],
  };
  return [
    // Rarely used parts (schema compiler, sample data, YAML, watcher, certificates) are separate chunks.
    {
      ...node,
      entryPoints: {
        app: "server/main.ts",
        provider: "server/provider/thread.ts",
        instance: "server/instance.ts",
        model: "server/model/main.ts",
        "template-thread": "server/foreign/template-thread.ts",
        "check-databases": "server/store/check/check-thread.ts",
        "measure-storage": "server/app/storage/measure-thread.ts",
        "code-child": "server/app/code-routes/child/code-child.ts",
        "code-watch": "server/app/code-routes/child/watch-thread.ts",
      },
      splitting: true,
      chunkNames: "app-[name]-[hash]",
      plugins: [...light, swaggerUiInPlace],
    },
    // The same code as `instance`, in one script for a snapshot, without Node's loader.
    {
      ...common,
      target: "node24",
      entryPoints: { "instance-code": "server/instance-process.ts" },
      format: "cjs",
      outExtension: { ".js": ".cjs" },
      sourcemap: false,
      supported: { "dynamic-import": false },
      define: { ...common.define, "import.meta.url": "hearthUrl", "import.meta.dirname": "hearthFolder" },
      plugins: [lazyBuiltins, englishZod, compressedData, swaggerUiInPlace, compressedOutput],
      write: false,
    },
    {
      ...common,
      target: "node24",
      entryPoints: { "snapshot-script": "server/kit/snapshot/snapshot-script.ts" },
      format: "cjs",
      outExtension: { ".js": ".cjs" },
      sourcemap: false,
    },
    // The engine is a separate chunk: the runner's socket answers before it is loaded. The doctor tries it, too.
    // Short identifiers save 0.7 MB of the package; functions and classes keep their names in stacks.
    {
      ...runner,
      minifyIdentifiers: true,
      keepNames: true,
      entryPoints: {
        runner: "server/runner/main.ts",
        "model-trial": "server/runner/model-trial.ts",
        "doctor-inspector": "server/cli/doctor/inspector.ts",
      },
      splitting: true,
      chunkNames: "runner-[name]-[hash]",
      plugins: [...light, engineInPlace("./engine/")],
    },
    // A program of the engine's own, which only tries whether a binary can be loaded.
    { ...runner, minifyIdentifiers: true, ...engineTestScript },
    // What `import "hearthkit"` gives, and the fixtures of the test runners. Errors in somebody's tests show its lines.
    // No chunk imports Node's modules by name: each import would read all exports, and load their parts.
    {
      ...node,
      minifyWhitespace: false,
      entryPoints: {
        kit: "server/kit/start-hearth.ts",
        "kit-vitest": "server/kit/vitest.ts",
        "kit-playwright": "server/kit/playwright.ts",
        "kit-wx": "server/kit/wx/create-wx.ts",
        "kit-routes": "server/kit/routes.ts",
        "make-snapshot": "server/kit/snapshot/make-snapshot.ts",
      },
      splitting: true,
      chunkNames: "kit-[name]-[hash]",
      external: [...externals, ...testRunners],
      plugins: [lazyBuiltins, ...light],
      banner: {},
    },
    // The watcher is a separate chunk: only `hearth watch` loads it.
    {
      ...node,
      entryPoints: {
        "cli-main": "server/cli/main.ts",
        "update-backup": "server/cli/backup/update-backup-worker.ts",
      },
      splitting: true,
      chunkNames: "cli-[name]-[hash]",
    },
    // The updater is a bundle of its own: most starts look for no newer version.
    {
      ...node,
      entryPoints: { electron: "electron/main.ts", updater: "electron/updates/electron-installer.ts" },
      target: "node22",
    },
    // Must at least start on an old Node, to report that it is too old.
    { ...common, entryPoints: { cli: "server/cli.ts" }, target: "node18" },
    // People read and copy the reference client, so it stays as written.
    {
      ...common,
      ...readable,
      entryPoints: { "client/hearth-client": referenceClient },
      platform: "neutral",
      target: "es2018",
    },
    // Programs of the user load it, with whichever Node they have.
    {
      ...common,
      entryPoints: { "stand-in-preload": "server/stand-in/preload.ts" },
      format: "cjs",
      outExtension: { ".js": ".cjs" },
      target: "node14",
      sourcemap: false,
    },
    // The page of the API description loads it, to be shown in a frame of the console.
    {
      ...common,
      entryPoints: { "client/description-frame": "renderer/features/api-docs/frame/frame.ts" },
      platform: "browser",
      format: "iife",
      target: "es2023",
      loader: { ".css": "text" },
      sourcemap: false,
    },
    // A sandboxed preload must be CommonJS.
    { ...common, entryPoints: { preload: "electron/preload.ts" }, format: "cjs", outExtension: { ".js": ".cjs" } },
  ];
}

const copyReferenceClient = () => cp(join(root, referenceClient), join(dist, "client/hearth-client.ts"));
const copySkills = () => cp(join(root, "server/cli/agent/skills"), join(dist, "skills"), { recursive: true });
async function copyStarterModel(): Promise<void> {
  await rm(join(dist, "starter"), { recursive: true, force: true });
  // The card and what it is made of are for those who read the repository.
  const filter = (path: string) => !/(?:README\.md|made\.json)$/.test(path);
  await cp(join(root, "server/model/starter"), join(dist, "starter"), { recursive: true, filter });
}

/** In points, as trays show it; the other picture is for dense screens. */
const trayIconSize = 22;

async function drawTrayIcon(): Promise<void> {
  const { default: sharp } = await import("sharp");
  const drawn = (file: string, size: number) =>
    sharp(join(root, "renderer/public/icon.svg"), { density: 300 }).resize(size).png().toFile(join(dist, file));
  await Promise.all([drawn("tray.png", trayIconSize), drawn("tray@2x.png", 2 * trayIconSize)]);
}

/** A failed build leaves the previous output in place. */
export async function bundleNode(): Promise<void> {
  const { build } = await import("esbuild");
  await mkdir(dist, { recursive: true });
  const bundles = await nodeBundles();
  const [results] = await Promise.all([
    Promise.all(bundles.map((options) => build({ ...options, metafile: true }))),
    copyStarterModel(),
    copyReferenceClient(),
    copySkills(),
    copyEngineFiles(),
    copySwaggerUi(),
    drawTrayIcon(),
    writeDatabaseScripts(dist),
  ]);
  const outputs = results.flatMap(({ metafile }) => Object.entries(metafile.outputs));
  const modules = outputs.flatMap(([, { inputs }]) => Object.keys(inputs));
  noteBundledPackages("node", [...modules, swaggerUiPackage]);
  await removeOldChunks(new Set(outputs.map(([file]) => file)));
}

/** A chunk's name contains its hash, so chunks of older builds would otherwise remain forever. */
async function removeOldChunks(built: ReadonlySet<string>): Promise<void> {
  const chunks = (await readdir(dist)).filter((file) => chunkFile.test(file) && !built.has(`dist/${file}`));
  await Promise.all(chunks.map((file) => rm(join(dist, file))));
}
