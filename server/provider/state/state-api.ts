/** The control routes for the simulator's whole state. */
import { Router } from "express";
import type { z } from "zod";
import { providerStateSchema, type providerStateCounts } from "../../contract/provider/provider-state.ts";
import { askerOf, keptAsker, type IsToken } from "../../http/outgoing/asker.ts";
import { readBody } from "../../http/formats/read-body.ts";
import { validate } from "../../http/serve-routes.ts";
import type { ProviderStates } from "./provider-state.ts";

const maxStateBytes = 64 * 1024 * 1024;

export function stateApi(states: ProviderStates, isToken: IsToken): Router {
  const router = Router();
  router.get("/state", async (_req, res) => void res.json(await states.export()));
  router.put("/state", async (req, res) => {
    const body = await readBody(req, "any", providerStateSchema, maxStateBytes);
    const document = validate(providerStateSchema, body, "body") as z.output<typeof providerStateSchema>;
    res.json({ parts: await states.import(document, keptAsker(askerOf(req, isToken))) } satisfies z.input<
      typeof providerStateCounts
    >);
  });
  router.delete("/state", async (_req, res) => {
    res.json({ parts: await states.clear() } satisfies z.input<typeof providerStateCounts>);
  });
  return router;
}
