import { describe, expect, it } from "vitest";
import { closesItsOwn, createShortcuts, type PressedKey } from "../../../../renderer/ui/keyboard/shortcuts.ts";

/** Shortcuts that note what they did, and keys pressed 100 ms apart. */
function keyboard({ plainKeys = true } = {}) {
  const done: string[] = [];
  const shortcuts = createShortcuts(() => plainKeys);
  let clock = 0;
  const on = (keys: string, note = keys) => shortcuts.add({ keys, label: note, run: () => done.push(note) });
  /** Answers whether the key was taken. */
  const press = (key: string, more: Partial<PressedKey> = {}): boolean => {
    let taken = false;
    shortcuts.press({
      key,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      defaultPrevented: false,
      timeStamp: (clock += 100),
      target: null,
      preventDefault: () => (taken = true),
      ...more,
    });
    return taken;
  };
  const wait = (ms: number) => (clock += ms);
  return { on, press, wait, done };
}
const inside = (selector: string, attributes: string[] = []) => {
  const element = {
    closest: (wanted: string) => (wanted.includes(selector) ? element : null),
    hasAttribute: (name: string) => attributes.includes(name),
  };
  return element as unknown as EventTarget;
};

describe("The keyboard shortcuts", () => {
  it("recognise one key, two in a row, and one with Control or Command", () => {
    const { on, press, done } = keyboard();
    for (const keys of ["r", "g r", "mod+k"]) on(keys);
    for (const key of ["r", "g", "r"]) press(key);
    press("k", { ctrlKey: true });
    press("K", { metaKey: true });
    expect(done).toEqual(["r", "g r", "mod+k", "mod+k"]);
  });

  it("forget the first of two keys after a while, and after another key", () => {
    const { on, press, wait, done } = keyboard();
    on("g r");
    press("g");
    wait(5_000);
    press("r");
    for (const key of ["g", "x", "r"]) press(key);
    expect(done).toEqual([]);
  });

  it("give a key to the newest handler, and back when that is removed", () => {
    const { on, press, done } = keyboard();
    on("r", "list");
    const close = on("r", "inspector");
    press("r");
    close();
    press("r");
    expect(done).toEqual(["inspector", "list"]);
  });

  it("leave Escape, and the letters that find an entry, to an open menu", () => {
    const { on, press, done } = keyboard();
    for (const keys of ["Escape", "r"]) on(keys);
    for (const role of ["menu", "listbox"])
      for (const key of ["Escape", "r"]) expect(press(key, { target: inside(`[role='${role}']`) })).toBe(false);
    expect(done).toEqual([]);
  });

  it("leave Escape in an inspector to what is open over it, and to nothing else", () => {
    for (const selector of [
      "[role='menu']",
      "[role='listbox']",
      "[role='dialog']",
      "[data-mantine-stop-propagation='true']",
    ])
      expect(closesItsOwn(inside(selector))).toBe(true);
    expect(closesItsOwn(inside("textarea"))).toBe(false);
  });

  it("leave keys to text fields, to dialogs, and to handlers that used them", () => {
    const { on, press, done } = keyboard();
    on("r");
    on("mod+k");
    expect(press("r", { target: inside("input") })).toBe(false);
    expect(press("r", { target: inside("[role='dialog']") })).toBe(false);
    expect(press("r", { defaultPrevented: true })).toBe(false);
    expect(done).toEqual([]);
    press("k", { ctrlKey: true, target: inside("input") });
    press("r", { target: inside("[role='dialog']", ["data-page-keys"]) });
    expect(done).toEqual(["mod+k", "r"]);
  });

  it("ignore single keys when the reader has turned them off", () => {
    const { on, press, done } = keyboard({ plainKeys: false });
    on("r");
    on("mod+k");
    press("r");
    press("k", { ctrlKey: true });
    expect(done).toEqual(["mod+k"]);
  });
});
