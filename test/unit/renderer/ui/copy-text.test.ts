import { afterEach, expect, it, vi } from "vitest";

/** The tests are compiled without a browser's types: the name is for Vite alone. */
const file: string = "../../../../renderer/ui/code/copy-text.ts";
const { copyText } = (await import(file)) as { copyText: (text: string) => Promise<boolean> };

afterEach(() => vi.unstubAllGlobals());

/** A page over plain HTTP from another machine, whose browser copies what is selected, or does not. */
function insecurePage({ copies }: { copies: boolean }) {
  const page = { selected: "", copied: "", fields: 0, focus: "" };
  const button = {
    focus: () => (page.focus = "button"),
    parentElement: { append: () => (page.fields += 1) },
  };
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("document", {
    activeElement: button,
    createElement: () => ({
      value: "",
      style: {},
      select() {
        page.focus = "field";
        page.selected = this.value;
      },
      remove: () => (page.fields -= 1),
    }),
    execCommand(command: string) {
      if (copies && command === "copy") page.copied = page.selected;
      return copies;
    },
  });
  return page;
}

it("copies by the clipboard, and says where that is refused", async () => {
  const writeText = vi.fn().mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error("NotAllowedError"));
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  expect([await copyText("one"), await copyText("two")]).toEqual([true, false]);
  expect(writeText.mock.calls).toEqual([["one"], ["two"]]);
});

it.each([true, false])("copies without it, leaves the page as it was, and says whether it did: %s", async (copies) => {
  const page = insecurePage({ copies });
  expect(await copyText("one")).toBe(copies);
  expect(page).toEqual({ selected: "one", copied: copies ? "one" : "", fields: 0, focus: "button" });
});
