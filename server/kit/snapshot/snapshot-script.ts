/**
 * Loads an instance's code. By `node --build-snapshot` the heap with it becomes the snapshot; otherwise the instance
 * runs, and at its end the code that it has compiled is written for the snapshot. Arguments: the URL that the code has
 * among the built files, the file of the code, the file of the compiled code.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { startupSnapshot } from "node:v8";
import { Script } from "node:vm";
import type * as Instance from "../../instance-process.ts";
import { interpretSchemas } from "./interpret-schemas.ts";

const [url = "", codeFile = "", compiledFile = ""] = process.argv.slice(-3);

/** Other packages are found beside the built files. Node's loader cannot be part of a snapshot. */
const requireLater = (name: string): unknown =>
  process.getBuiltinModule(name) ?? process.getBuiltinModule("node:module").createRequire(url)(name);

type Load = (require: typeof requireLater, module: { exports: unknown }, url: string, folder: string) => void;

function load(compiled: Buffer | undefined): { script: Script; instance: typeof Instance } {
  // The bundler has written ASCII, which V8 holds in one byte for each character.
  const code = `(function (require, module, hearthUrl, hearthFolder) {${readFileSync(codeFile, "latin1")}\n})`;
  const script = new Script(code, {
    filename: new URL(url).pathname,
    ...(compiled && { cachedData: compiled }),
  });
  const module = { exports: {} };
  const folder = process.getBuiltinModule("node:url").fileURLToPath(new URL(".", url)).slice(0, -1);
  (script.runInThisContext() as Load)(requireLater, module, url, folder);
  return { script, instance: module.exports as typeof Instance };
}

interpretSchemas();
if (startupSnapshot.isBuildingSnapshot()) {
  const { runInstanceProcess } = load(readFileSync(compiledFile)).instance;
  startupSnapshot.setDeserializeMainFunction(() => void runInstanceProcess());
} else {
  const { script, instance } = load(undefined);
  process.once("exit", () => writeFileSync(compiledFile, script.createCachedData()));
  void instance.runInstanceProcess();
}
