import type { AnyRouter } from "@tanstack/react-router";

export type Navigate = (...args: never[]) => Promise<void>;

/** Navigates only while the address is that of the route, also where another page is still being loaded. */
export const whileAt = <Go extends Navigate>(router: AnyRouter, routeId: string, navigate: Go): Go =>
  ((...args) => {
    const [, , route] = router.getMatchedRoutes(router.latestLocation.pathname);
    return route?.id === routeId ? navigate(...args) : Promise.resolve();
  }) as Go;
