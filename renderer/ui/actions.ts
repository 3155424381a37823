import type { LucideIcon } from "lucide-react";
import { createContext, useContext, useEffect, useEffectEvent } from "react";
import type { Registry } from "./registry.ts";

/** An action of the command palette. */
export interface Action {
  id: string;
  label: string;
  /** The heading of its group. */
  group: string;
  icon?: LucideIcon;
  /** Additional words that find it. */
  keywords?: string;
  /** A shortcut for the same action: "g r". */
  keys?: string;
  run: () => void;
}

/** Each entry returns the actions that one component currently offers. */
export type Actions = Registry<() => readonly Action[]>;

export const ActionsContext = createContext<Actions | undefined>(undefined);

export function useActionsRegistry(): Actions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error("no ActionsContext above this component");
  return actions;
}

/** Adds actions to the command palette while the component is mounted. */
export function useActions(actions: readonly Action[]): void {
  const registry = useActionsRegistry();
  const current = useEffectEvent(() => actions);
  useEffect(() => registry.add(() => current()), [registry]);
}
