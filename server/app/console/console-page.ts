import type { IncomingMessage } from "node:http";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Router } from "express";
import { commandLine, type OwnCommand } from "../../contract/console/console.ts";
import { isFromHere } from "../../http/connection/peer/caller.ts";
import { builtFiles } from "../../http/conventions/built-files.ts";
import { expressStep } from "../../http/express-step.ts";
import { refuse } from "../../http/http-error.ts";
import type { Middleware } from "../../http/middleware.ts";

interface Options {
  readonly folder: string;
  readonly command: OwnCommand;
  /** The origin of the application server, as the browser of a request has to address it. */
  readonly appOrigin: (req: IncomingMessage) => string;
  /** Whether the browser of a request is logged in. */
  readonly isKnown: (req: IncomingMessage) => boolean;
}

/** Serves the console's page and its files from `folder` at /console. */
export function consolePage({ folder, command, appOrigin, isKnown }: Options): Middleware {
  const router = Router();
  // Built files have a hash of their content in their name, so browsers may cache them for good.
  router.use("/assets", builtFiles(join(folder, "assets"), { immutable: true, index: false, fallthrough: false }));
  router.use(builtFiles(folder, { index: false, redirect: false, cacheControl: false }));
  router.get("/{*page}", async (req, res) => {
    const page = await readFile(join(folder, "index.html"), "utf8").catch(() => undefined);
    if (page === undefined) throw refuse("console.notBuilt");
    res.setHeader("Content-Type", "text/html; charset=utf-8");
    res.setHeader("Cache-Control", "no-store"); // it says whether the browser is logged in
    const named = { "hearth-app": appOrigin(req), ...(!isKnown(req) && { "hearth-login": "required" }) };
    // The login page shows what to type. It may contain paths, so it is for browsers on this machine only.
    const open = isFromHere(req) ? { "hearth-open": commandLine(command, "open") } : {};
    res.send(withMeta(page, { ...named, ...open }));
  });
  return expressStep(Router().use("/console", router));
}

/** Adds values that the page needs before its first call. */
function withMeta(page: string, values: Readonly<Record<string, string>>): string {
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const tags = Object.entries(values).map(([name, value]) => `<meta name="${name}" content="${escaped(value)}" />`);
  return page.replace("</head>", () => `${tags.join("")}</head>`);
}
