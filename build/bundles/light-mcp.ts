/**
 * Bundles hold the SDK of the Model Context Protocol without its JSON-Schema validator, which only servers need that ask a
 * person for input: half of its code.
 */
import type { Plugin } from "esbuild";

const namespace = "light-mcp";

export const lightMcp: Plugin = {
  name: namespace,
  setup(build) {
    build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({ path, namespace }));
    build.onLoad({ filter: /^/, namespace }, () => ({
      contents: "export class DefaultJsonSchemaValidator {} export const process = globalThis.process;",
    }));
  },
};
