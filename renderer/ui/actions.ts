import type { LucideIcon } from "lucide-react";
import { createContext, useContext, useEffect, useEffectEvent } from "react";
import type { Registry } from "./registry.ts";

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

export const ActionsContext = createContext<Actions | undefined>(undefined);

export function useActionsRegistry(): Actions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error("no ActionsContext above this component");
  return actions;
}

/** Puts actions into the command palette while the component is on the page. */
export function useActions(actions: readonly Action[]): void {
  const registry = useActionsRegistry();
  const current = useEffectEvent(() => actions);
  useEffect(() => registry.add(() => current()), [registry]);
}
