/** The control routes for the simulator's whole state. */
import { providerStateSchema } from "../../contract/provider/provider-state.ts";
import { deleteSimState, getSimState, putSimState } from "../../contract/provider/sim-platform.ts";
import { askerOf, keptAsker, type IsToken } from "../../http/outgoing/asker.ts";
import { readBody } from "../../http/formats/read-body.ts";
import { validate } from "../../http/messages/validate.ts";
import { route, type Route } from "../../http/route.ts";
import type { ProviderStates } from "./provider-state.ts";

const maxStateBytes = 64 * 1024 * 1024;

export const stateRoutes = (states: ProviderStates, isToken: IsToken): Route[] => [
  route(getSimState, async () => ({ data: await states.export() })),
  // All fields at fault are named, as nowhere else here: a document is long.
  route(putSimState, async (_input, { req }) => {
    const body = await readBody(req, "any", providerStateSchema, maxStateBytes);
    const document = validate(providerStateSchema, body, "body");
    return { data: { parts: await states.import(document, keptAsker(askerOf(req, isToken))) } };
  }),
  route(deleteSimState, async () => ({ data: { parts: await states.clear() } })),
];
