/** The npm packages that a packaged program contains as files, with what is needed of each; all others are in the bundles. */
import { enginePackage } from "../../server/contract/model/gpu-engine.ts";

export interface Target {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

/** The packages with native code for one system; npm installs only those of the system that it runs on. */
export function nativePackages(target: Target): string[] {
  const { platform, arch } = target;
  // On Windows, sharp's own package contains libvips.
  const libvips = platform === "win32" ? [] : [`@img/sharp-libvips-${platform}-${arch}`];
  return [enginePackage(target.platform, target.arch), `@img/sharp-${platform}-${arch}`, ...libvips];
}

/** Patterns of the needed files, by package. The engine's own JavaScript is in the runner's bundle. */
export function shippedPackages(target: Target): Record<string, readonly string[]> {
  const whole = Object.fromEntries(nativePackages(target).map((name) => [name, ["**"]]));
  return {
    ...whole,
    sharp: ["package.json", "dist/**"],
    "@img/colour": ["**"],
    "detect-libc": ["**"],
    semver: ["**"],
  };
}

/** What none of them needs at run time; their licences are shipped in one file. */
const unread = "!**/*.{md,d.ts,d.mts,d.cts,map}";

/** electron-builder's file sets of these packages. */
export const packageFiles = (target: Target) =>
  Object.entries(shippedPackages(target)).map(([name, files]) => ({
    from: `node_modules/${name}`,
    to: `node_modules/${name}`,
    filter: [...files, unread],
  }));
