import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Router, type Request, type RequestHandler, type Response } from "express";
import type { Logger } from "pino";
import swaggerUi from "swagger-ui-express";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import type { ApiTexts } from "../../contract/messages/zh/api/api-texts.ts";
import { builtFiles } from "../conventions/built-files.ts";
import { sendText } from "../conventions/send-json.ts";
import { varyBy } from "../conventions/vary.ts";
import { expressStep } from "../express-step.ts";
import { refuse } from "../http-error.ts";
import { acceptedLanguage } from "../messages/in-language.ts";
import type { Middleware } from "../middleware.ts";
import { describeApi, type ApiInput } from "./describe-api.ts";
import { DocumentationError, type createDocumentation } from "./documentation-file.ts";
import { translateApi } from "./translate-api.ts";

export interface ApiDocsOptions {
  /** Path of the interactive description. */
  readonly page: string;
  /** Path of the machine-readable description. */
  readonly document: string;
  /** Called for each request, because collections change while the server runs. */
  readonly api: () => Omit<ApiInput, "textOf">;
  /** The texts in Chinese, loaded on the first use. */
  readonly chinese: () => Promise<ApiTexts>;
  readonly documentation: ReturnType<typeof createDocumentation>;
  readonly log: Logger;
  /** Returns the origin, for this caller, of the console that shows the page in a frame. */
  readonly framedBy?: (req: Request) => string;
}

type Language = "en" | "zh";

/** The files of swagger-ui, which the build compresses. Run from the sources, the package's own files are served. */
const compressedFiles = fileURLToPath(new URL("./swagger-ui/", import.meta.url));

/** The script of every page: its Chinese texts, and its look in the console's frame. */
const frameScript = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../../dist/client/description-frame.js" : "./client/description-frame.js",
    import.meta.url,
  ),
);

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

const queryOf = (req: Request) => new URLSearchParams(req.url.split("?")[1]);
/** The machine-readable description is in English without `?language=zh`, so that tools get the same one everywhere. */
const languageOf = (req: Request): Language => (queryOf(req).get("language") === "zh" ? "zh" : "en");

/** The interactive description and the machine-readable one behind it (spec: API description UI 1, 2). */
export function serveApiDocs(options: ApiDocsOptions): Middleware {
  const { page, document, framedBy } = options;
  const framerOf = (req: Request) => framedBy?.(req) ?? "";
  const router = Router();
  router.get(document, descriptionHandler(options));
  router.all(document, onlyGet);

  const pages = { en: pageOf(options, "en"), zh: pageOf(options, "zh") };
  router.use(page, (req, res, next) => {
    res.setHeader("Content-Security-Policy", policyFor(framerOf(req)));
    res.setHeader("X-Content-Type-Options", "nosniff");
    next();
  });
  // The script obeys only a frame of the console or of its own origin.
  const withFrameScript = (html: string, framer: string) =>
    html.replace("</head>", `<script src="${page}/frame.js" data-console="${framer}"></script></head>`);
  router.get(page, (req, res) => {
    varyBy(res, "Accept-Language");
    const { html } = pages[queryOf(req).has("language") ? languageOf(req) : acceptedLanguage(req)];
    res.type("html").send(withFrameScript(html, framerOf(req)));
  });
  router.get(`${page}/frame.js`, (_req, res) => res.sendFile(basename(frameScript), { root: dirname(frameScript) }));
  router.all(page, onlyGet);
  router.use(`${page}/zh`, pages.zh.files);
  router.use(page, builtFiles(compressedFiles, { index: false, redirect: false }), pages.en.files);
  return expressStep(router);
}

/** The page in one language, and its files: its script names the description of that language. */
function pageOf({ page, document, api }: ApiDocsOptions, language: Language) {
  const swaggerOptions = {
    url: language === "zh" ? `${document}?language=zh` : document,
    validatorUrl: null, // a badge from a foreign site
    tryItOutEnabled: true,
    displayRequestDuration: true,
    filter: true,
  };
  const files = swaggerUi.serveFiles(undefined, { swaggerOptions });
  const html = swaggerUi
    .generateHTML(undefined, { customSiteTitle: `${api().title}: API`, swaggerOptions })
    .replaceAll(/(href|src)="\.\//g, `$1="${page}/`); // the page's own path has no slash at its end
  if (language === "en") return { files, html };
  const translated = html
    .replace('lang="en"', 'lang="zh-CN"')
    .replace(`${page}/swagger-ui-init`, `${page}/zh/swagger-ui-init`);
  return { files, html: translated };
}

const onlyGet: RequestHandler = (req) => {
  throw refuse("method.allowed", { method: req.method, allowed: "GET, HEAD" }, { headers: { Allow: "GET, HEAD" } });
};

/** Any error of the description is a 500 with one field, always as JSON (spec: API description UI 5). */
function descriptionHandler({ api, chinese, documentation, log }: ApiDocsOptions) {
  interface Description {
    readonly json: string;
    yaml?: string;
  }
  const made = new Map<Language, { readonly key: readonly unknown[]; readonly description: Promise<Description> }>();

  async function make(input: ApiInput, language: Language): Promise<Description> {
    if (language === "en") return { json: JSON.stringify(await describeApi(input)) };
    const { translateDocument } = await import("./translate-document.ts");
    return { json: JSON.stringify(translateDocument(await describeApi(translateApi(input, await chinese())))) };
  }

  async function describe(language: Language): Promise<Description> {
    const { version, textOf } = await documentation.read();
    const input = { ...api(), textOf };
    const key = [version, ...keyOf(input.specs)];
    const before = made.get(language);
    if (before?.key.length === key.length && before.key.every((one, index) => one === key[index]))
      return before.description;
    const description = make(input, language);
    made.set(language, { key, description });
    return description;
  }

  return async (req: Request, res: Response): Promise<void> => {
    const format = requestedFormat(req);
    const language = languageOf(req);
    try {
      const description = await describe(language);
      res.setHeader("Cache-Control", "no-cache");
      if (format === "json") sendText(res, 200, "application/json; charset=utf-8", description.json);
      else {
        description.yaml ??= await toYaml(description.json);
        sendText(res, 200, "application/yaml; charset=utf-8", description.yaml);
      }
    } catch (error) {
      made.delete(language);
      log.error({ err: error }, "the API description cannot be created");
      const Message =
        error instanceof DocumentationError
          ? error.message
          : "The API description cannot be created. See the server's log.";
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
  const format = queryOf(req).get("format");
  if (format === "json" || format === "yaml") return format;
  if (format !== null) throw refuse("docs.format", { format }, { field: "format" });
  return req.accepts(["application/json", "application/yaml"]) === "application/yaml" ? "yaml" : "json";
}
