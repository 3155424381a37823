import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A default browser that only notes in `folder` what it is asked to open (Linux: by xdg-open). */
export function browserThatNotes(folder: string) {
  const file = join(folder, "opened");
  writeFileSync(join(folder, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > "${file}"\n`, { mode: 0o755 });
  return {
    env: { PATH: `${folder}:${process.env["PATH"]}` },
    /** The address that it was asked for last. */
    opened: () => (existsSync(file) ? readFileSync(file, "utf8") : undefined),
  };
}
