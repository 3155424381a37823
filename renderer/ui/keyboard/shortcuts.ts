/** Keys that do something wherever the focus is: which ones there are, and what a pressed key means. */
import { useEffect, useEffectEvent } from "react";
import { createRegistry, type Registry } from "./registry.ts";
import { serviceKey, useService } from "../services.ts";

export interface Shortcut {
  /** One key ("r", "/", "?"), two in a row ("g r"), or one with Control, which is Command on a Mac ("mod+k"). */
  keys: string;
  /** Its effect, for the list of shortcuts. */
  label: string;
  run: () => void;
}

/** The part of a keydown event that is used here. */
export interface PressedKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  defaultPrevented: boolean;
  timeStamp: number;
  target: EventTarget | null;
  preventDefault(): void;
}

export interface Shortcuts extends Registry<Shortcut> {
  press(event: PressedKey): void;
}

/** How soon the second of two keys must follow the first. */
const sequenceMs = 1_500;

/**
 * If two components register the same keys, the later one gets them. `plainKeysOn`: whether keys without a modifier
 * work; users who dictate turn them off.
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
      if (event.defaultPrevented || event.altKey) return;
      const shortcut = meant(event);
      if (!shortcut) return;
      event.preventDefault();
      first = undefined;
      shortcut.run();
    },
  };
}

/** The part of the focused element that is used here. */
interface ElementLike {
  closest(selector: string): ElementLike | null;
  hasAttribute(name: string): boolean;
}

/** Elements over the page that handle Escape themselves. The last selector is Mantine's mark of an open select. */
const opened = "[role='menu'], [role='listbox'], [role='dialog'], [data-mantine-stop-propagation='true']";

/** Whether Escape, pressed there, closes something smaller than what the page has open. */
export const closesItsOwn = (target: EventTarget): boolean =>
  (target as unknown as ElementLike).closest(opened) !== null;

/** Whether a key belongs to a text field, to a menu, or to a dialog that does not allow the page's shortcuts. */
function isElsewhere(target: EventTarget | null): boolean {
  if (target === null || !("closest" in target)) return false;
  const element = target as unknown as ElementLike;
  if (element.closest("input, textarea, select, [contenteditable='true'], [role='menu'], [role='listbox']"))
    return true;
  const dialog = element.closest("[role='dialog']");
  return dialog !== null && !dialog.hasAttribute("data-page-keys");
}

export const shortcutsKey = serviceKey<Shortcuts>("shortcuts");
export const useShortcuts = (): Shortcuts => useService(shortcutsKey);

/** Listens to keys while the component is mounted, unless `run` is absent. */
export function useShortcut(keys: string, label: string, run: (() => void) | undefined): void {
  const shortcuts = useShortcuts();
  const on = run !== undefined;
  const onPress = useEffectEvent(() => run?.());
  useEffect(
    () => (on ? shortcuts.add({ keys, label, run: () => onPress() }) : undefined),
    [shortcuts, keys, label, on],
  );
}
