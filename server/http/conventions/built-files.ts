/** Serves files of the build. The build keeps most of them only compressed, as `FILE.br`, which takes a third of the space. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import express, { type RequestHandler, type Response } from "express";
import { pathOf } from "../middleware.ts";

type Options = NonNullable<Parameters<typeof express.static>[1]>;

const compressedEnding = ".br";
/** Compressed files lie flat in their folder, so a path that leads elsewhere never matches. */
const flatPath = /^\/[\w-]+(?:\.[\w-]+)+$/;
const forGood = "public, max-age=31536000, immutable";
const decompress = promisify(brotliDecompress);

/** @param options of `express.static`; with `immutable`, browsers cache the files for good */
export function builtFiles(folder: string, options: Options): RequestHandler {
  const plain = express.static(folder, { ...options, ...(options.immutable === true && { maxAge: "1y" }) });
  const compressed = express.static(folder, {
    ...options,
    fallthrough: true,
    setHeaders(res: Response, path: string) {
      if (options.immutable === true) res.setHeader("Cache-Control", forGood);
      res.setHeader("Content-Encoding", "br");
      res.type(extname(path.slice(0, -compressedEnding.length)));
    },
  });
  return async (req, res, next) => {
    res.vary("Accept-Encoding");
    const path = pathOf(req);
    if (req.acceptsEncodings("br", "identity") !== "br") {
      const bytes = await readCompressed(folder, path);
      if (bytes === undefined) return void plain(req, res, next);
      if (options.immutable === true) res.setHeader("Cache-Control", forGood);
      res.setHeader("ETag", `"${createHash("sha1").update(bytes).digest("base64url")}"`);
      return void res.type(extname(path)).send(await decompress(bytes));
    }
    const { url } = req;
    req.url = path + compressedEnding;
    compressed(req, res, () => {
      req.url = url;
      plain(req, res, next);
    });
  };
}

const readCompressed = async (folder: string, path: string): Promise<Buffer | undefined> =>
  flatPath.test(path) ? readFile(join(folder, path + compressedEnding)).catch(() => undefined) : undefined;
