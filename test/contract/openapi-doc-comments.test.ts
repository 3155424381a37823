import { describe, expect, it } from "vitest";
import { readDocComments } from "../../build/docs/read-doc-comments.ts";
import { apiDocsText } from "../../build/docs/write-api-docs.ts";

const read = (text: string) => readDocComments("server/contract/things.ts", text);

describe("the comments on endpoints", () => {
  it("become members by the endpoint's id, with lines flowing together and remarks apart", () => {
    const { endpoints } = read(`
      /**
       * Answers a thing,
       * whole.
       *
       * Slowly.
       * @remarks Not for children.
       */
      export const getThing = endpoint({ id: "getThing", method: "GET" });`);
    expect(endpoints).toEqual([
      {
        name: "getThing",
        where: "server/contract/things.ts:9",
        summary: "Answers a thing, whole.\n\nSlowly.",
        remarks: "Not for children.",
      },
    ]);
  });

  it("are found on what every collection has, and on the collections", () => {
    const { operations, collections } = read(`
      export const endpoints = (name: string) => ({
        /** Lists the {plural}. */
        list: endpoint({ id: "list", member: \`\${name}.list\` }),
      });
      /** Things of any kind. */
      export const things: ResourceDefinition = { name: "things", singular: "Thing" };`);
    expect(operations).toMatchObject([{ name: "list", summary: "Lists the {plural}." }]);
    expect(collections).toMatchObject([{ name: "things", summary: "Things of any kind." }]);
  });

  it("must be there: the build fails and names the place", () => {
    expect(() => read(`\nexport const getThing = endpoint({ id: "getThing" });`)).toThrow(
      "server/contract/things.ts:2: getThing needs a comment",
    );
  });

  it("make a file of the common form, in which every collection has its own members", async () => {
    const text = await apiDocsText();
    expect(text).toMatch(/^<\?xml version="1.0" encoding="utf-8"\?>\n<doc>\n {2}<assembly>\n {4}<name>hearth<\/name>/);
    for (const name of ["createSession", "articles.list", "raffles.remove", "*.update"])
      expect(text).toContain(`<member name="M:${name}">`);
    expect(text).toContain("Returns a page of the articles");
  });
});
