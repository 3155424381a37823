import type { Middleware } from "./middleware.ts";

/** A step whose code is rarely needed: its first request loads it. */
export function loadWhenAsked(load: () => Promise<Middleware>): Middleware {
  let loaded: Promise<Middleware> | undefined;
  return async (req, res, next) => (await (loaded ??= load()))(req, res, next);
}
