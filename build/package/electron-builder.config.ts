/** The content of the packaged program, its formats, and its security settings. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ElectronForTests } from "../install/electron-for-tests.ts";
import { category, linkScheme, modelFile, productName, summary } from "./desktop-entry.ts";
import type { Icons } from "./draw-icons.ts";
import { packageFiles, type Target } from "./shipped-packages.ts";
import { signing } from "./signing.ts";

/**
 * Files that stay outside the archive. The system's loader and llama.cpp open native code and models themselves. Files
 * served over HTTP: Electron would copy each packed file that is streamed to the temporary folder, and leave it there.
 */
const unpacked = [
  "node_modules/better-sqlite3/prebuilds/**",
  "node_modules/sharp/**",
  "node_modules/@img/**",
  "node_modules/@node-llama-cpp/**",
  "dist/engine/**",
  "dist/starter/**",
  "dist/renderer/**",
  "dist/client/**",
  "dist/swagger-ui/**",
];

/** Removes Electron's demo program. A program that loads only its archive does not need it. */
async function removeDefaultApp({ appOutDir, packager }: AfterPackContext): Promise<void> {
  const resources = packager.getResourcesDir(appOutDir);
  await rm(join(resources, "default_app.asar"), { force: true });
}

interface AfterPackContext {
  appOutDir: string;
  packager: { getResourcesDir: (appOutDir: string) => string };
}

export interface PackagerOptions extends Target {
  readonly electron: ElectronForTests;
  readonly output: string;
  readonly icons: Icons;
  /** A folder with the licences of everything that is in the program. */
  readonly licences: string;
}

export function packagerConfig({ electron, output, icons, licences, ...target }: PackagerOptions) {
  return {
    appId: "app.hearth.desktop",
    productName,
    directories: { output },
    electronVersion: electron.version,
    // electron-builder wants Electron among devDependencies, which `npm start` leaves out.
    extraMetadata: { dependencies: null },
    // A folder instead of a download: it is already fetched and checked.
    electronDist: electron.dist,
    // The console's languages; Chromium falls back to the first.
    electronLanguages: ["en-US", "zh"],
    files: [
      "package.json",
      "dist/**",
      "!dist/**/*.map",
      "!dist/*.packages.json",
      "!dist/cli.js",
      // The package of npm has these: for tests, and to test the engine's binary.
      "!dist/kit{,-*}.js",
      "!dist/{instance-code.cjs.br,make-snapshot.js,snapshot-script.cjs}",
      "!dist/kit/**",
      "!dist/engine/dist/**",
      ...packageFiles(target),
    ],
    extraResources: [
      { from: licences, to: "licences" },
      { from: "build/package/app-update.yml", to: "app-update.yml" },
    ],
    asar: true,
    afterPack: removeDefaultApp,
    asarUnpack: unpacked,
    // Packages are listed above, and everything native is prebuilt and works with any Node-API: nothing may be compiled.
    beforeBuild: () => false,
    electronFuses: {
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    },
    protocols: [{ name: productName, schemes: [linkScheme] }],
    fileAssociations: [{ ...modelFile, name: modelFile.description, role: "Viewer" }],
    linux: {
      executableName: "hearth",
      category: "Development",
      synopsis: summary,
      icon: icons.folder,
      target: ["AppImage"],
    },
    mac: { category, icon: icons.icns, target: ["dmg", "zip"], ...signing(target.platform, process.env).mac },
    win: { icon: icons.ico, target: ["nsis"] },
    nsis: { oneClick: false, allowToChangeInstallationDirectory: true, include: "build/package/installer.nsh" },
  };
}
