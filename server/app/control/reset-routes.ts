import { statePartSchema, type StatePart } from "../../contract/control.ts";
import { createReset } from "../../contract/control-endpoints.ts";
import { route, type Route } from "../../http/route.ts";

/** Puts one part of the state back and answers how much was removed. */
export type Resets = Readonly<Record<StatePart, () => Promise<number> | number>>;

export const resetRoutes = (resets: Resets, onReset: (parts: readonly StatePart[]) => void): Route[] => [
  route(createReset, async ({ body: { parts } }) => {
    const chosen = statePartSchema.options.filter((part) => parts?.includes(part) ?? true);
    const removed: Partial<Record<StatePart, number>> = {};
    for (const part of chosen) removed[part] = await resets[part]();
    onReset(chosen);
    return { data: { removed } };
  }),
];
