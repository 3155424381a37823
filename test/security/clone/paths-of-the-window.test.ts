/** A clone serves a page at a path that reads like one of Hearth's own once it is decoded. */
import { describe, expect, it } from "vitest";
import { isConsolePage, isFramedPage } from "../../../electron/window/navigation.ts";

const origin = "http://127.0.0.1:3080";

describe("the window compares a path as the server does", () => {
  it.each(["/%73wagger", "/swa%67ger/docs", "/%2Fswagger", "/swagger%2Fdocs"])("and frames no %s", (path) =>
    expect(isFramedPage(origin + path, origin)).toBe(false),
  );

  it.each(["/%63onsole/", "/console%2Frequests", "/%2e/%63onsole"])("and shows no %s as a console page", (path) =>
    expect(isConsolePage(origin + path, origin)).toBe(false),
  );

  it("and takes its own paths in any case", () => {
    expect(["/swagger", "/Swagger/docs/v1"].map((path) => isFramedPage(origin + path, origin))).toEqual([true, true]);
    const pages = ["/console", "/Console/requests?q=1", "/console/api", "/CONSOLE/API/overview"];
    expect(pages.map((path) => isConsolePage(origin + path, origin))).toEqual([true, true, false, false]);
  });
});
