import { expect, it } from "vitest";
import { stopInputMethodKey, type TypedKey } from "../../../../renderer/ui/keyboard/input-method.ts";

it("Keys of an input method reach nothing that listens to keys, also those that WebKit tells after their text is there", () => {
  const page = new EventTarget();
  const heard: string[] = [];
  const listener = (event: Event) => stopInputMethodKey(event as Event & TypedKey);
  page.addEventListener("keydown", listener, { capture: true });
  for (const capture of [true, false])
    page.addEventListener("keydown", (event) => heard.push((event as Event & { key: string }).key), { capture });
  const press = (key: string, keyCode: number, isComposing: boolean) =>
    page.dispatchEvent(Object.assign(new Event("keydown"), { key, keyCode, isComposing }));
  press("Enter", 229, true);
  press("Escape", 27, true);
  press("Enter", 229, false);
  press("Escape", 229, false);
  expect(heard).toEqual([]);
  press("Enter", 13, false);
  expect(heard).toEqual(["Enter", "Enter"]);
});
