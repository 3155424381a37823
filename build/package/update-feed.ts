/** The file by which an installed Hearth learns of this version: put it with the packages on any web server. */
import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { stringify } from "yaml";

/** The packages that the updater can install, by system. */
const updatable: Partial<Record<NodeJS.Platform, string>> = {
  linux: "*.{AppImage,deb}",
  darwin: "*.zip",
  win32: "*.exe",
};
const names: Partial<Record<NodeJS.Platform, string>> = {
  linux: "latest-linux",
  darwin: "latest-mac",
  win32: "latest",
};

/** The name of the file; Linux has one for each processor, the others one for all. */
const feedName = (platform: NodeJS.Platform, arch: string) =>
  `${names[platform]}${platform === "linux" && arch !== "x64" ? `-${arch}` : ""}.yml`;

/** Writes it beside the packages in `folder`, unless none of them can be installed by the updater. */
export function writeUpdateFeed(folder: string, version: string, platform: NodeJS.Platform, arch: string): void {
  const file = join(folder, feedName(platform, arch));
  const files = globSync(updatable[platform] ?? "", { cwd: folder }).map((name) => {
    const path = join(folder, name);
    const sha512 = createHash("sha512").update(readFileSync(path)).digest("base64");
    return { url: basename(name), sha512, size: statSync(path).size };
  });
  if (files.length === 0) return;
  writeFileSync(file, stringify({ version, files, releaseDate: new Date().toISOString() }));
}
