import type { LucideIcon } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import type { Registry } from "./registry.ts";
import { serviceKey, useService } from "./services.ts";

/** Something that the command palette can do. */
export interface Action {
  id: string;
  label: string;
  /** The heading under which it stands. */
  group: string;
  icon?: LucideIcon;
  /** More words by which it is found. */
  keywords?: string;
  /** The keys that do the same: "g r". */
  keys?: string;
  run: () => void;
}

/** Each entry reads the actions that one component offers at that moment. */
export type Actions = Registry<() => readonly Action[]>;

export const actionsKey = serviceKey<Actions>("actions");
export const useActionsRegistry = (): Actions => useService(actionsKey);

/** Puts actions into the command palette while the component is on the page. */
export function useActions(actions: readonly Action[]): void {
  const registry = useActionsRegistry();
  const current = useEffectEvent(() => actions);
  useEffect(() => registry.add(() => current()), [registry]);
}
