import type { Middleware } from "./middleware.ts";

/** A step whose code few ever need: the first request that comes to it loads it. */
export function loadWhenAsked(load: () => Promise<Middleware>): Middleware {
  let loaded: Promise<Middleware> | undefined;
  return async (req, res, next) => (await (loaded ??= load()))(req, res, next);
}
