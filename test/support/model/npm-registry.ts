/** A registry of npm packages that have the form of the engine's builds for GPUs, and everything that can go wrong with it. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { create } from "tar";
import { engineVersion, type EnginePackage } from "../../../server/contract/model/gpu-engine.ts";
import { listen } from "../process/listen.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Contents of a build that do not compress, so that an archive arrives in several parts. */
const padding = Array.from({ length: 40_000 }, (_, index) => createHash("sha1").update(String(index)).digest("hex"));

function packageBytes(name: string): Buffer {
  using folder = temporaryFolder();
  const place = join(folder.path, "package");
  mkdirSync(join(place, "dist"), { recursive: true });
  writeFileSync(
    join(place, "package.json"),
    JSON.stringify({ name: `@node-llama-cpp/${name}`, version: engineVersion }),
  );
  writeFileSync(join(place, "dist", "padding.txt"), padding.join("\n"));
  const file = join(folder.path, "package.tgz");
  create({ sync: true, gzip: true, cwd: folder.path, file }, ["package"]);
  return readFileSync(file);
}

/** Serves packages of these names, below a path as mirrors have it, by a redirect. */
export async function serveNpmRegistry(...names: string[]) {
  const archives = new Map(names.map((name) => [name, packageBytes(name)]));
  const requests: { readonly path: string; readonly range: string | undefined }[] = [];
  /**
   * `stuck`: nothing more comes after the middle; `plain`: neither ranges nor lengths are known; a number: a page with this
   * status is there instead.
   */
  const state: { way: "whole" | "stuck" | "plain" | 200 | 206 | 302 } = { way: "whole" };
  let breakOff = () => {};
  const server = await listen((request, response) => {
    const [, host = "", scope = "", name = "", , file = ""] = (request.url ?? "").split("/");
    const { range } = request.headers;
    if (host === "mirror") {
      response.writeHead(302, { Location: `/files/${scope}/${name}/-/${file}` }).end();
      return;
    }
    requests.push({ path: request.url ?? "", range });
    const archive = archives.get(name);
    if (archive === undefined || scope !== "@node-llama-cpp" || file !== `${name}-${engineVersion}.tgz`) {
      response.writeHead(404).end();
      return;
    }
    if (typeof state.way === "number") {
      response.writeHead(state.way).end("<h1>Log in to the network</h1>");
      return;
    }
    if (state.way === "plain") {
      response.write(archive.subarray(0, 1000));
      response.end(archive.subarray(1000));
      return;
    }
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
    const rest = archive.subarray(from);
    const place = `bytes ${String(from)}-${String(archive.length - 1)}/${String(archive.length)}`;
    response.writeHead(from > 0 ? 206 : 200, {
      "Content-Length": rest.length,
      ...(from > 0 && { "Content-Range": place }),
    });
    if (state.way === "whole") response.end(rest);
    else {
      response.write(rest.subarray(0, rest.length / 2));
      breakOff = () => void response.destroy();
    }
  });
  /** What is known of a package. */
  const known = (name: string): EnginePackage => {
    const bytes = archives.get(name) ?? Buffer.of();
    return { name, integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}`, bytes: bytes.length };
  };
  return {
    url: `${server.url}/mirror`,
    requests,
    state,
    /** Ends the last connection that is stuck. */
    breakOff: () => breakOff(),
    known,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
