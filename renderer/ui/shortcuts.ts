/** Keys that do something wherever the focus is: which ones there are, and what a pressed key means. */
import { useEffect, useEffectEvent } from "react";
import { createRegistry, type Registry } from "./registry.ts";
import { serviceKey, useService } from "./services.ts";

export interface Shortcut {
  /** One key ("r", "/", "?"), two in a row ("g r"), or one with Control, which is Command on a Mac ("mod+k"). */
  keys: string;
  /** What it does, for the list of shortcuts. */
  label: string;
  run: () => void;
}

/** What is read of a keydown event. */
export interface PressedKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  isComposing: boolean;
  defaultPrevented: boolean;
  timeStamp: number;
  target: EventTarget | null;
  preventDefault(): void;
}

export interface Shortcuts extends Registry<Shortcut> {
  press(event: PressedKey): void;
}

/** How long after the first of two keys the second one may come. */
const sequenceMs = 1_500;

/**
 * Of two components that want the same keys, the one that came last gets them. `plainKeysOn`: whether keys without a
 * modifier count; a reader who dictates turns them off.
 */
export function createShortcuts(plainKeysOn: () => boolean): Shortcuts {
  const registry = createRegistry<Shortcut>();
  let first: { key: string; at: number } | undefined;
  const find = (keys: string) => registry.items.getState().findLast((shortcut) => shortcut.keys === keys);
  const meant = (event: PressedKey): Shortcut | undefined => {
    if (event.ctrlKey || event.metaKey) return find(`mod+${event.key.toLowerCase()}`);
    if (!plainKeysOn() || isElsewhere(event.target)) return undefined;
    const before = first && event.timeStamp - first.at < sequenceMs ? first.key : undefined;
    first = { key: event.key, at: event.timeStamp };
    return (before === undefined ? undefined : find(`${before} ${event.key}`)) ?? find(event.key);
  };
  return {
    ...registry,
    press(event) {
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      const shortcut = meant(event);
      if (!shortcut) return;
      event.preventDefault();
      first = undefined;
      shortcut.run();
    },
  };
}

/** What is read of the element that has the focus. */
interface ElementLike {
  closest(selector: string): ElementLike | null;
  hasAttribute(name: string): boolean;
}

/** Whether a key is meant for a text, or for a dialog that has not said that the page's keys count in it too. */
function isElsewhere(target: EventTarget | null): boolean {
  if (target === null || !("closest" in target)) return false;
  const element = target as unknown as ElementLike;
  if (element.closest("input, textarea, select, [contenteditable='true']")) return true;
  const dialog = element.closest("[role='dialog']");
  return dialog !== null && !dialog.hasAttribute("data-page-keys");
}

export const shortcutsKey = serviceKey<Shortcuts>("shortcuts");
export const useShortcuts = (): Shortcuts => useService(shortcutsKey);

/** Listens to keys while the component is on the page; without `run` it does not. */
export function useShortcut(keys: string, label: string, run: (() => void) | undefined): void {
  const shortcuts = useShortcuts();
  const on = run !== undefined;
  const onPress = useEffectEvent(() => run?.());
  useEffect(
    () => (on ? shortcuts.add({ keys, label, run: () => onPress() }) : undefined),
    [shortcuts, keys, label, on],
  );
}
