/** Routes of the API that this server does not have yet: a clear 501 in the shape of the route's family. */
import type { Handler, Method, RouteTable } from "./mount-routes.ts";

const openAi: readonly (readonly [path: string, ...methods: Method[]])[] = [
  ["/v1/chat/completions", "POST"],
  ["/v1/completions", "POST"],
  ["/v1/embeddings", "POST"],
  ["/v1/responses", "POST"],
  ["/v1/models", "GET"],
  ["/v1/models/*model", "GET"],
];
const anthropic: typeof openAi = [["/v1/messages", "POST"]];

function refuse(body: (message: string) => object): Handler {
  return (req, res) => {
    // Client libraries would try twice more.
    res.setHeader("x-should-retry", "false");
    res.status(501).json(body(`${req.path} is not supported by this server yet`));
  };
}

const table = (routes: typeof openAi, handler: Handler): RouteTable =>
  Object.fromEntries(
    routes.map(([path, ...methods]) => [path, Object.fromEntries(methods.map((method) => [method, handler]))]),
  );

export const laterRoutes: RouteTable = {
  ...table(
    openAi,
    refuse((message) => ({ error: { message, type: "api_error", param: null, code: null } })),
  ),
  ...table(
    anthropic,
    refuse((message) => ({ type: "error", error: { type: "api_error", message } })),
  ),
};
