import type { LucideIcon } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import type { Registry } from "./registry.ts";
import { serviceKey, useService } from "../services.ts";

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

export const actionsKey = serviceKey<Actions>("actions");
export const useActionsRegistry = (): Actions => useService(actionsKey);

/** Adds actions to the command palette while the component is mounted. */
export function useActions(actions: readonly Action[]): void {
  const registry = useActionsRegistry();
  const current = useEffectEvent(() => actions);
  useEffect(() => registry.add(() => current()), [registry]);
}
