/** The steps by which a service handles its requests, and where each of them holds. */
import type { RequestListener } from "node:http";
import { pathOf, type Middleware, type Refuse } from "./middleware.ts";

/**
 * Handles each request by the steps, in their order: what Express does, without what its router costs every call. A step
 * answers, throws, or calls `next` once. What it throws is refused there and then: the steps before it do not notice.
 * `undefined` stands for a step that this service goes without.
 */
export function pipeline(steps: readonly (Middleware | undefined)[], refuse: Refuse): RequestListener {
  const present = steps.filter((step) => step !== undefined);
  return (req, res) => {
    const refused = (error: unknown) => refuse(error, req, res);
    const run = (at: number): void => {
      let isLeft = false;
      const next = () => {
        if (isLeft) throw new Error(`step ${String(at + 1)} of the pipeline has called next twice`);
        isLeft = true;
        run(at + 1);
      };
      try {
        const step = present[at];
        if (!step) throw new Error(`no step of the pipeline answers ${String(req.method)} ${pathOf(req)}`);
        step(req, res, next)?.catch(refused);
      } catch (error) {
        refused(error);
      }
    };
    run(0);
  };
}

/** True for `root`, in lower case and without a slash at its end, and for every path below it. Case makes no difference. */
export function isBelow(root: string, path: string): boolean {
  const beginning = path.slice(0, root.length + 1).toLowerCase();
  return beginning === root || beginning === `${root}/`;
}

/** The step for some paths, which other requests pass by. */
export function where(fits: (path: string) => boolean, step: Middleware): Middleware {
  return (req, res, next) => (fits(pathOf(req)) ? step(req, res, next) : next());
}

/** The step for a path and all below it. */
export const below = (root: string, step: Middleware): Middleware => where((path) => isBelow(root, path), step);
