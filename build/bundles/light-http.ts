/**
 * Bundled code gets `node:http` by `require`. An import statement reads all its exports, among them `WebSocket`, for which
 * Node loads its HTTP client: 40 ms of each process that starts, by Node 24.
 */
import type { Plugin } from "esbuild";

const namespace = "light-http";

export const lightHttp: Plugin = {
  name: namespace,
  setup(build) {
    build.onResolve({ filter: /^(?:node:)?http$/ }, ({ kind, path }) =>
      kind === "import-statement" ? { path, namespace } : undefined,
    );
    build.onLoad({ filter: /^/, namespace }, () => ({ contents: 'module.exports = require("node:http");' }));
  },
};
