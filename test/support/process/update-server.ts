/** A web server with a newer version of the packaged program, which the test makes from the one that it has built. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { listen } from "./listen.ts";

const archive = "opt/Hearth/resources/app.asar";

/**
 * Writes a Debian package into `folder` with what differs from `system`, where `deb` is installed: the version. It is
 * installed over that.
 */
export function newerDeb(deb: string, system: string, folder: string, from: string, to: string): string {
  const tree = join(folder, "newer");
  mkdirSync(dirname(join(tree, archive)), { recursive: true });
  execFileSync("dpkg-deb", ["-e", deb, join(tree, "DEBIAN")]);
  // Both are of one length, so that the archive's offsets stay.
  const content = readFileSync(join(system, archive), "latin1").replaceAll(from, to);
  writeFileSync(join(tree, archive), content, "latin1");
  const file = join(folder, "newer.deb");
  execFileSync("dpkg-deb", ["--root-owner-group", "-Znone", "--build", tree, file], { stdio: "pipe" });
  return file;
}

/**
 * Installs into `system` in place of the system itself: commands `dpkg`, and `pkexec` for who is not root. A file `killed`
 * beside them is the next one's end before it has done anything.
 * @returns a PATH with these alone
 */
export function standInForDpkg(folder: string, system: string): string {
  const command = (name: string, script: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\nexport PATH=/usr/bin:/bin\n${script}\n`, { mode: 0o755 });
  mkdirSync(folder);
  command(
    "dpkg",
    `[ -e '${folder}/killed' ] && rm '${folder}/killed' && kill -KILL $$\nexec dpkg-deb -x "$2" '${system}'`,
  );
  // Its own flag, then a shell's command.
  command("pkexec", `shift; export PATH='${folder}':$PATH; exec "$@"`);
  return folder;
}

/** Serves a package and its announcement; `state` may change between requests. */
export async function serveUpdate(deb: string, version: string) {
  const sha512 = createHash("sha512").update(readFileSync(deb)).digest("base64");
  const { size } = statSync(deb);
  const state = {
    /** Does not say which version there is. */
    isSilent: false,
    /** How often it was asked for that, and for the package. */
    asked: 0,
    sent: 0,
    /** Announces another content. */
    isForged: false,
    /** Sends one half, and then nearly nothing. */
    isStuck: false,
  };
  const server = await listen((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (pathname.endsWith(".yml")) {
      state.asked++;
      if (state.isSilent) return;
      const digest = state.isForged ? createHash("sha512").update("").digest("base64") : sha512;
      const file = { url: "newer.deb", sha512: digest, size };
      return void response.end(JSON.stringify({ version, files: [file], path: "newer.deb", sha512: digest }));
    }
    state.sent++;
    response.setHeader("Content-Length", size);
    if (!state.isStuck) return void createReadStream(deb).pipe(response);
    createReadStream(deb, { end: Math.floor(size / 2) }).pipe(response, { end: false });
    // The updater reports its progress when something arrives, once a second at most.
    const trickle = setInterval(() => response.write("."), 100);
    response.once("close", () => clearInterval(trickle));
  });
  return { url: server.url, state, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
