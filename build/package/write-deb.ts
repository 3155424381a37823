/** Writes a Debian package of the unpacked program, by dpkg-deb alone. */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../root.ts";
import { desktopEntry, mimePackage, productName, summary } from "./desktop-entry.ts";
import { iconSizes, type Icons } from "./draw-icons.ts";

export interface DebOptions {
  /** The unpacked program. */
  readonly program: string;
  /** The package's own path. */
  readonly file: string;
  readonly version: string;
  readonly arch: string;
  readonly icons: Icons;
  /** Not compressed: quick to write. */
  readonly store: boolean;
}

/** The libraries that Electron is linked with; the second name is that of Debian 13 and Ubuntu 24.04. */
const dependencies = [
  ...["libasound2", "libatk-bridge2.0-0", "libatspi2.0-0", "libgtk-3-0"].map((name) => `${name} | ${name}t64`),
  ...["libdrm2", "libgbm1", "libnotify4", "libnss3", "libxss1", "xdg-utils"],
];

const control = (version: string, arch: string, kibibytes: number) => `Package: hearth
Version: ${version.replaceAll("-", "~")}
Architecture: ${arch === "x64" ? "amd64" : arch}
Maintainer: The Hearth developers
Installed-Size: ${kibibytes}
Depends: ${dependencies.join(", ")}
Section: devel
Priority: optional
Description: ${summary}
 An application server, the identity and payment provider behind it, a file
 watcher and a model service that is a drop-in for Ollama, in one window.
`;

const copyright = `Hearth is under the MIT licence: /opt/${productName}/resources/licences/LICENSE.txt
What it contains: /opt/${productName}/resources/licences/third-party.txt,
/opt/${productName}/LICENSE.electron.txt and /opt/${productName}/LICENSES.chromium.html
`;

/** Homes are their users' own: a package does not reach into them, and says what stays there. */
const afterRemoval = `#!/bin/sh
set -e
case "$1" in
  remove)
    echo "Hearth is removed. Its users' data stay in their homes, by default in ~/.local/share/hearth." ;;
  purge)
    echo "No home is changed: delete ~/.local/share/hearth to remove a user's data and models of Hearth." ;;
esac
`;

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
  return stdout;
}

/**
 * The databases of desktop entries, types and icons are brought up to date by triggers of the packages that own them,
 * and the command is a link of the package itself, so that no script runs at its installation; one speaks after its
 * removal.
 */
export function writeDeb({ program, file, version, arch, icons, store }: DebOptions): void {
  const tree = `${file}.tree`;
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), content);
  };
  const copy = (from: string, path: string) =>
    cpSync(from, join(tree, path), { recursive: true, verbatimSymlinks: true });
  try {
    copy(program, `opt/${productName}`);
    // By this name the updater knows what to download.
    write(`opt/${productName}/resources/package-type`, "deb");
    mkdirSync(join(tree, "usr/bin"), { recursive: true });
    symlinkSync(`/opt/${productName}/hearth`, join(tree, "usr/bin/hearth"));
    write("usr/share/applications/hearth.desktop", desktopEntry(`/opt/${productName}/hearth`));
    write("usr/share/mime/packages/hearth.xml", mimePackage);
    write("usr/share/doc/hearth/copyright", copyright);
    for (const size of iconSizes)
      copy(join(icons.folder, `${size}x${size}.png`), `usr/share/icons/hicolor/${size}x${size}/apps/hearth.png`);
    copy(icons.svg, "usr/share/icons/hicolor/scalable/apps/hearth.svg");
    copy(join(root, "CHANGELOG.md"), "usr/share/doc/hearth/changelog");
    const kibibytes = Number.parseInt(run("du", "-sk", tree), 10);
    write("DEBIAN/control", control(version, arch, kibibytes));
    write("DEBIAN/postrm", afterRemoval);
    // Whatever the umask of this build was.
    run("chmod", "-R", "u=rwX,go=rX", tree);
    chmodSync(join(tree, "DEBIAN/postrm"), 0o755);
    // Chromium's sandbox needs it where users may not create namespaces.
    chmodSync(join(tree, "opt", productName, "chrome-sandbox"), 0o4755);
    run("dpkg-deb", "--root-owner-group", store ? "-Znone" : "-Zxz", "--build", tree, file);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}
