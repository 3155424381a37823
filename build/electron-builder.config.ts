/** What goes into the packaged program, and how it is locked down. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ElectronForTests } from "./electron-for-tests.ts";

/**
 * What stays a real file. Native code and models: the system's loader and llama.cpp open them by themselves. What is
 * served over HTTP: Electron would copy each packed file that is streamed into the temporary folder, and leave it there.
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

/** Sources and binaries of other systems, which the native packages carry along. */
function ballast(platform: NodeJS.Platform, arch: string): string[] {
  const system = platform === "win32" ? "win32" : platform;
  return [
    "!dist/**/*.map",
    "!dist/{cli,cli-*}.js",
    "!**/*.{md,d.ts,d.mts,map}",
    "!node_modules/better-sqlite3/{deps,src}/**",
    `!node_modules/better-sqlite3/prebuilds/!(${system}-${arch}|${system}musl-${arch}).node`,
    "!node_modules/node-llama-cpp/llama/{gitRelease.bundle,addon,cmake,profiles,toolchains}",
    "!node_modules/node-llama-cpp/templates/**",
    ...(platform === "linux" ? [`!node_modules/@node-llama-cpp/!(linux-${arch})/**`] : []),
  ];
}

/** Electron's own demo program, which the folder brings along; a program that loads nothing but its archive needs none. */
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
    // The folder instead of a download: it was fetched and checked already.
    electronDist: electron.dist,
    files: ["package.json", "dist/**", ...ballast(process.platform, process.arch)],
    asar: true,
    afterPack: removeDefaultApp,
    asarUnpack: unpacked,
    // Everything native here is prebuilt and works with any Node-API; nothing may be compiled.
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
