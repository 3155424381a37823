import { useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { whileAt, type Navigate } from "./while-at.ts";

/** Navigates within a page. What comes after an answer may come when the reader has gone to another page, which stays. */
export function usePageNavigate<Go extends Navigate>(route: { readonly id: string; useNavigate: () => Go }): Go {
  const router = useRouter();
  const navigate = route.useNavigate();
  return useMemo(() => whileAt(router, route.id, navigate), [router, route.id, navigate]);
}
