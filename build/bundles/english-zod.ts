/**
 * Bundles hold zod without its error texts in 50 languages, which each process would load: a third of its code. English
 * is what zod itself asks for, and Hearth translates its messages on its own.
 */
import type { Plugin } from "esbuild";

export const englishZod: Plugin = {
  name: "english-zod",
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: "export {};" }));
  },
};
