import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import express, { Router, type RequestHandler, type Response } from "express";
import { commandLine, type OwnCommand } from "../../contract/console/console.ts";
import { isFromHere } from "../../http/connection/peer/caller.ts";
import { expressStep } from "../../http/express-step.ts";
import { HttpError } from "../../http/http-error.ts";
import { pathOf, type Middleware } from "../../http/middleware.ts";

/** Serves the console's page and its files from `folder` at /console, and the reference client from `clientFolder`. */
export function consolePage({
  folder,
  clientFolder,
  command,
}: {
  folder: string;
  clientFolder: string;
  command: OwnCommand;
}): Middleware {
  const router = Router();
  // Built files have a hash of their content in their name, so browsers may cache them for good.
  router.use(
    "/assets",
    builtFiles(join(folder, "assets"), { immutable: true, maxAge: "1y", index: false, fallthrough: false }),
  );
  for (const extension of ["js", "ts"])
    router.get(`/client.${extension}`, (_req, res) => {
      res.type(extension === "js" ? "text/javascript" : "text/plain; charset=utf-8");
      res.sendFile(`hearth-client.${extension}`, { root: clientFolder }); // the root may lie below a dot folder, as with npx
    });
  router.use(builtFiles(folder, { index: false, redirect: false, cacheControl: false }));
  router.get("/{*page}", async (req, res) => {
    const page = await readFile(join(folder, "index.html"), "utf8").catch(() => undefined);
    if (page === undefined)
      throw new HttpError(500, "console_not_built", "The console has not been built: run `npm run build`.");
    res.setHeader("Content-Type", "text/html; charset=utf-8");
    res.setHeader("Cache-Control", "no-cache");
    res.send(isFromHere(req) ? withCommand(page, commandLine(command, "open")) : page);
  });
  return expressStep(Router().use("/console", router));
}

/** Serves a folder of the build: as the build has compressed its files, where the browser takes that. */
function builtFiles(folder: string, options: Parameters<typeof express.static>[1]): RequestHandler {
  const asTheyAre = express.static(folder, options);
  const compressed = express.static(folder, {
    ...options,
    fallthrough: true,
    setHeaders(res: Response, path: string) {
      res.setHeader("Content-Encoding", "br");
      res.type(extname(path.slice(0, -compressedEnding.length)));
    },
  });
  return (req, res, next) => {
    res.vary("Accept-Encoding");
    if (req.acceptsEncodings("br", "identity") !== "br") {
      asTheyAre(req, res, next);
      return;
    }
    const { url } = req;
    req.url = pathOf(req) + compressedEnding;
    compressed(req, res, () => {
      req.url = url;
      asTheyAre(req, res, next);
    });
  };
}

const compressedEnding = ".br";

/** The login page shows what to type. It may contain paths, so it is for browsers on this machine only. */
function withCommand(page: string, command: string): string {
  const text = command.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return page.replace("</head>", () => `<meta name="hearth-open" content="${text}" /></head>`);
}
