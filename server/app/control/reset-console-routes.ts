import { statePartSchema, type StatePartName } from "../../contract/console/control/control.ts";
import { createReset } from "../../contract/console/control/control-endpoints.ts";
import { route, type Route } from "../../http/route.ts";

/** @param reset resets parts of the state and returns the number of removed entries of each */
export const resetConsoleRoutes = (
  reset: (parts: readonly StatePartName[]) => Promise<Partial<Record<StatePartName, number>>>,
): Route[] => [
  route(createReset, async ({ body: { parts } }) => ({
    data: { removed: await reset(statePartSchema.options.filter((part) => parts?.includes(part) ?? true)) },
  })),
];
