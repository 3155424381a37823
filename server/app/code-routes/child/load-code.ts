/** Loads the files of routes as they are: Node strips their types, and `hearthkit/routes` is Hearth's own. */
import { registerHooks, type ResolveFnOutput } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { LoadedFiles } from "../child-messages.ts";
import { signatureOf } from "../../../file-system/file-signature.ts";

const isPackages = (url: string) => url.includes("/node_modules/");
/** The endings that an import may omit, as bundlers and TypeScript allow. */
const endings = [
  (specifier: string) => `${specifier}.ts`,
  (specifier: string) => `${specifier}/index.ts`,
  (specifier: string) => specifier.replace(/\.js$/, ".ts"),
];

/** The signatures of the files that were loaded, apart from packages, by their URLs. */
export const loadedFiles = new Map<string, string>();

function resolveAgain(specifier: string, next: (specifier: string) => ResolveFnOutput, error: unknown) {
  for (const ending of endings)
    try {
      return next(ending(specifier));
    } catch {
      // The first error names what was written.
    }
  throw error;
}

/** @param kit the module that `hearthkit/routes` stands for */
export function prepareLoading(kit: string): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "hearthkit/routes") return { url: kit, shortCircuit: true };
      try {
        return next(specifier, context);
      } catch (error) {
        if (!/^\.{1,2}\//.test(specifier)) throw error;
        return resolveAgain(specifier, (other) => next(other, context), error);
      }
    },
    load(url, context, next) {
      if (url === kit || !url.startsWith("file:") || isPackages(url)) return next(url, context);
      loadedFiles.set(url, signatureOf(fileURLToPath(url)));
      // Whatever the project's package.json calls its modules, their text has imports and exports.
      return next(url, /\.ts$/.test(url) ? { ...context, format: "module-typescript" } : context);
    },
  });
}

/** @throws the code's error; Error where the file exports no routes */
export async function loadRoutes(file: string): Promise<(routes: object) => unknown> {
  const { default: exported } = (await import(pathToFileURL(file).href)) as { default?: unknown };
  if (typeof exported === "object" && exported !== null && Symbol.for("hearthkit.routes") in exported)
    return (exported as unknown as { define: (routes: object) => unknown }).define;
  throw new Error("has no default export of defineRoutes from hearthkit/routes");
}

export const loadedByPath = (): LoadedFiles =>
  Object.fromEntries([...loadedFiles].map(([url, signature]) => [fileURLToPath(url), signature]));
