/**
 * Node's own modules are loaded when one of their exports is first used. The code of a snapshot needs that: a heap that
 * holds `node:http` or `node:sqlite` cannot be serialized. An import of the kit takes 25 ms less CPU time.
 */
import { builtinModules } from "node:module";
import type { Plugin } from "esbuild";

const namespace = "lazy-builtins";

/**
 * A module with a getter for each export of the one that it loads. They are inherited, because the bundler copies own
 * ones for each importing module: 13,600 getters in a snapshot.
 */
const moduleOf = (name: string, exports: readonly string[]) => `
  let loaded;
  const load = () => (loaded ??= process.getBuiltinModule(${JSON.stringify(name)}));
  const lazy = {};
  for (const name of ${JSON.stringify(exports)})
    Object.defineProperty(lazy, name, { enumerable: true, get: () => load()[name] });
  module.exports = Object.create(lazy);`;

export const lazyBuiltins: Plugin = {
  name: namespace,
  setup(build) {
    build.onResolve({ filter: /^(?:node:)?[a-z_]+[a-z0-9_]*(?:\/[a-z]+)*$/ }, ({ path }) => {
      const name = path.replace(/^node:/, "");
      const isBuiltin = builtinModules.some((one) => one.replace(/^node:/, "") === name);
      return isBuiltin ? { path: `node:${name}`, namespace } : undefined;
    });
    build.onLoad({ filter: /^/, namespace }, ({ path }) => {
      const found = process.getBuiltinModule(path) as object;
      // Such as `node:events`: a class that others extend, which Node has loaded anyway.
      if (typeof found === "function")
        return { contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});` };
      return { contents: moduleOf(path, Object.keys(found)) };
    });
  },
};
