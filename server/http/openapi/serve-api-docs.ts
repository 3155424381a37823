import { basename, dirname } from "node:path";
import { Router, type Request, type RequestHandler, type Response } from "express";
import type { Logger } from "pino";
import swaggerUi from "swagger-ui-express";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import { sendText } from "../conventions/send-json.ts";
import { expressStep } from "../express-step.ts";
import { refuse } from "../http-error.ts";
import type { Middleware } from "../middleware.ts";
import { describeApi, type ApiInput } from "./describe-api.ts";
import { DocumentationError, type createDocumentation } from "./documentation-file.ts";

export interface ApiDocsOptions {
  /** Path of the interactive description. */
  readonly page: string;
  /** Path of the machine-readable description. */
  readonly document: string;
  /** Called for each request, because collections change while the server runs. */
  readonly api: () => Omit<ApiInput, "textOf">;
  readonly documentation: ReturnType<typeof createDocumentation>;
  readonly log: Logger;
  /**
   * The console that shows the page in a frame: its origin for this caller, and the script that the page then needs.
   */
  readonly frame?: { readonly by: (req: Request) => string; readonly script: string };
}

const policyFor = (framer: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'", // the page sets style attributes
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors 'self' ${framer}`,
  ].join("; ");

/** The interactive description and the machine-readable one behind it (spec: API description UI 1, 2). */
export function serveApiDocs(options: ApiDocsOptions): Middleware {
  const { page, document } = options;
  const { frame } = options;
  const framerOf = (req: Request) => frame?.by(req) ?? "";
  const router = Router();
  router.get(document, descriptionHandler(options));
  router.all(document, onlyGet);

  const swaggerOptions = {
    url: document,
    validatorUrl: null, // a badge from a foreign site
    tryItOutEnabled: true,
    displayRequestDuration: true,
    filter: true,
  };
  const html = swaggerUi
    .generateHTML(undefined, { customSiteTitle: `${options.api().title}: API`, swaggerOptions })
    .replaceAll(/(href|src)="\.\//g, `$1="${page}/`); // the page's own path has no slash at its end
  router.use(page, (req, res, next) => {
    res.setHeader("Content-Security-Policy", policyFor(framerOf(req)));
    res.setHeader("X-Content-Type-Options", "nosniff");
    next();
  });
  // The script acts only in a frame, for the console and for pages of its own origin.
  const withFrameScript = (framer: string) =>
    html.replace("</head>", `<script src="${page}/frame.js" data-console="${framer}"></script></head>`);
  router.get(page, (req, res) => void res.type("html").send(frame ? withFrameScript(framerOf(req)) : html));
  if (frame)
    router.get(`${page}/frame.js`, (_req, res) =>
      res.sendFile(basename(frame.script), { root: dirname(frame.script) }),
    );
  router.all(page, onlyGet);
  router.use(page, swaggerUi.serveFiles(undefined, { swaggerOptions }));
  return expressStep(router);
}

const onlyGet: RequestHandler = (req) => {
  throw refuse("method.allowed", { method: req.method, allowed: "GET, HEAD" }, { headers: { Allow: "GET, HEAD" } });
};

/** Any error of the description is a 500 with one field, always as JSON (spec: API description UI 5). */
function descriptionHandler({ api, documentation, log }: ApiDocsOptions) {
  interface Description {
    readonly json: string;
    yaml?: string;
  }
  let made: { readonly key: readonly unknown[]; readonly description: Promise<Description> } | undefined;

  async function describe(): Promise<Description> {
    const { version, textOf } = await documentation.read();
    const input = api();
    const key = [version, ...keyOf(input.specs)];
    if (made?.key.length !== key.length || made.key.some((one, index) => one !== key[index]))
      made = { key, description: describeApi({ ...input, textOf }).then((api) => ({ json: JSON.stringify(api) })) };
    return made.description;
  }

  return async (req: Request, res: Response): Promise<void> => {
    const format = requestedFormat(req);
    try {
      const description = await describe();
      res.setHeader("Cache-Control", "no-cache");
      if (format === "json") sendText(res, 200, "application/json; charset=utf-8", description.json);
      else {
        description.yaml ??= await toYaml(description.json);
        sendText(res, 200, "application/yaml; charset=utf-8", description.yaml);
      }
    } catch (error) {
      made = undefined;
      log.error({ err: error }, "the API cannot be described");
      const Message =
        error instanceof DocumentationError ? error.message : "The API cannot be described; the server's log says why.";
      res.status(500).json({ Message });
    }
  };
}

/** The endpoints identify a description, because they are only replaced, never changed. */
const keyOf = (specs: readonly EndpointSpec[]): readonly unknown[] => specs;

/** Loaded on the first use, which is rare. */
async function toYaml(json: string): Promise<string> {
  const { default: yaml } = await import("yaml");
  return yaml.stringify(JSON.parse(json), { aliasDuplicateObjects: false });
}

/** `?format=yaml`, or a client that accepts YAML and not JSON (our choice). @throws HttpError 400 for any other format */
function requestedFormat(req: Request): "json" | "yaml" {
  const format = new URLSearchParams(req.url.split("?")[1]).get("format");
  if (format === "json" || format === "yaml") return format;
  if (format !== null) throw refuse("docs.format", { format }, { field: "format" });
  return req.accepts(["application/json", "application/yaml"]) === "application/yaml" ? "yaml" : "json";
}
