import { useRouter } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { whileAt, type Navigate } from "./while-at.ts";

/** Navigates within a page. A navigation after an answer is ignored when the reader has gone to another page meanwhile. */
export function usePageNavigate<Go extends Navigate>(route: { readonly id: string; useNavigate: () => Go }): Go {
  const router = useRouter();
  const navigate = route.useNavigate();
  return useMemo(() => whileAt(router, route.id, navigate), [router, route.id, navigate]);
}

/** Changes some fields of the page's address, and keeps the others. */
export function useChangeSearch<Search extends object>(
  navigate: (options: { search: (before: Search) => Search; replace: true }) => Promise<void>,
): (change: Partial<Search>) => void {
  return useCallback(
    (change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true }),
    [navigate],
  );
}
