/** Third-party clients, unmodified, from their own locked package: test/clients (`npm test` installs it). */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(import.meta.dirname, "../clients/package.json"));

/** The module as its package exports it. Its types are not ours to check. */
// oxlint-disable-next-line typescript/no-explicit-any
export const thirdParty = async (name: string): Promise<any> => import(pathToFileURL(require.resolve(name)).href);
