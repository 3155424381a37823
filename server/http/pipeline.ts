/** The pipeline of a service's steps, and conditions on steps. */
import type { RequestListener } from "node:http";
import { pathOf, type Middleware, type Refuse } from "./middleware.ts";

/**
 * Handles each request by the steps in order, like Express without the cost of its router. A step answers, throws, or
 * calls `next` once. Its error is answered at once: earlier steps do not notice it. `undefined` stands for a step that
 * this service omits.
 */
export function pipeline(steps: readonly (Middleware | undefined)[], refuse: Refuse): RequestListener {
  const present = steps.filter((step) => step !== undefined);
  return (req, res) => {
    const refused = (error: unknown) => {
      try {
        refuse(error, req, res);
      } catch (failure) {
        // An error ends this request only.
        try {
          refuse(failure, req, res);
        } catch {
          req.socket.destroy();
        }
      }
    };
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

/** True for `root` (in lower case, without a slash at its end) and every path below it. Ignores case. */
export function isBelow(root: string, path: string): boolean {
  const after = path[root.length];
  return (after === undefined || after === "/") && path.slice(0, root.length).toLowerCase() === root;
}

/** Applies the step to some paths only. */
export function where(fits: (path: string) => boolean, step: Middleware): Middleware {
  return (req, res, next) => (fits(pathOf(req)) ? step(req, res, next) : next());
}

/** Applies the step to a path and all paths below it. */
export const below = (root: string, step: Middleware): Middleware => where((path) => isBelow(root, path), step);
