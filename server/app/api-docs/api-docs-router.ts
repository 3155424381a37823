import { Router } from "express";
import swaggerUi from "swagger-ui-express";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import { openApiOf } from "../../http/openapi.ts";

/** The interactive description at /swagger and the machine-readable one at /swagger/docs/v1 (spec: API description UI). */
export function apiDocsRouter(specs: readonly EndpointSpec[], version: string): Router {
  const router = Router();
  const description = JSON.stringify(openApiOf(specs, version));
  const page = swaggerUi
    .generateHTML(undefined, {
      customSiteTitle: "Hearth API",
      swaggerOptions: { url: "/swagger/docs/v1", persistAuthorization: true, tryItOutEnabled: true },
    })
    .replaceAll(/(href|src)="\.\//g, '$1="/swagger/'); // the page itself is at /swagger, without a slash at its end

  router.use("/swagger", (_req, res, next) => {
    res.setHeader(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'self'",
    );
    next();
  });
  router.get("/swagger/docs/v1", (_req, res) => void res.type("json").send(description));
  router.get("/swagger", (_req, res) => void res.type("html").send(page));
  router.use("/swagger", swaggerUi.serve);
  return router;
}
