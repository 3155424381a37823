/** The content of the packaged program, and its security settings. */
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ElectronForTests } from "./electron-for-tests.ts";
import { root } from "./root.ts";

/**
 * Files that stay outside the archive. The system's loader and llama.cpp open native code and models themselves. Files
 * served over HTTP: Electron would copy each packed file that is streamed to the temporary folder, and leave it there.
 */
const unpacked = [
  "node_modules/better-sqlite3/prebuilds/**",
  "node_modules/sharp/**",
  "node_modules/@img/**",
  "node_modules/@node-llama-cpp/**",
  "node_modules/node-llama-cpp/**",
  "dist/starter/**",
  "dist/renderer/**",
  "dist/client/**",
  "node_modules/swagger-ui-dist/**",
];

/** Sources and binaries for other systems that native packages contain. */
function ballast(platform: NodeJS.Platform, arch: string): string[] {
  const system = platform === "win32" ? "win32" : platform;
  return [
    "!dist/**/*.map",
    "!dist/cli.js",
    "!**/*.{md,d.ts,d.mts,map}",
    "!node_modules/better-sqlite3/{deps,src}/**",
    `!node_modules/better-sqlite3/prebuilds/!(${system}-${arch}|${system}musl-${arch}).node`,
    "!node_modules/node-llama-cpp/llama/{gitRelease.bundle,addon,cmake,profiles,toolchains}",
    "!node_modules/node-llama-cpp/templates/**",
    ...(platform === "linux" ? [`!node_modules/@node-llama-cpp/!(linux-${arch})/**`] : []),
  ];
}

/** Packages that Hearth reads from their files; all others are already in the bundles of dist/. */
const runtimePackages = ["better-sqlite3", "node-llama-cpp", "sharp", "swagger-ui-dist"];

interface LockEntry {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Patterns that exclude every package that is not needed at run time. */
function bundledPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Readonly<Record<string, LockEntry>>;
  };
  const needed = new Set<string>();
  const add = (name: string) => {
    if (needed.has(name)) return;
    needed.add(name);
    const { dependencies, optionalDependencies } = packages[`node_modules/${name}`] ?? {};
    Object.keys({ ...dependencies, ...optionalDependencies }).forEach(add);
  };
  runtimePackages.forEach(add);
  return Object.keys(packages)
    .filter((path) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !needed.has(path.slice("node_modules/".length)))
    .map((path) => `!${path}/**`);
}

/** Removes Electron's demo program. A program that loads only its archive does not need it. */
async function removeDefaultApp({ appOutDir, packager }: AfterPackContext): Promise<void> {
  const resources = packager.getResourcesDir(appOutDir);
  await rm(join(resources, "default_app.asar"), { force: true });
}

interface AfterPackContext {
  appOutDir: string;
  packager: { getResourcesDir: (appOutDir: string) => string };
}

export function packagerConfig({ electron, output }: { electron: ElectronForTests; output: string }) {
  return {
    appId: "app.hearth.desktop",
    productName: "Hearth",
    directories: { output },
    electronVersion: electron.version,
    // electron-builder wants Electron among devDependencies, which `npm start` leaves out.
    extraMetadata: { dependencies: null },
    // A folder instead of a download: it is already fetched and checked.
    electronDist: electron.dist,
    files: ["package.json", "dist/**", ...bundledPackages(), ...ballast(process.platform, process.arch)],
    asar: true,
    afterPack: removeDefaultApp,
    asarUnpack: unpacked,
    // Everything native is prebuilt and works with any Node-API; nothing may be compiled.
    npmRebuild: false,
    electronFuses: {
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    },
    linux: { executableName: "hearth", category: "Development" },
    mac: { category: "public.app-category.developer-tools" },
  };
}
