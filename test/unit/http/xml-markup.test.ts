import fc from "fast-check";
import { XMLValidator } from "fast-xml-parser";
import { expect, it } from "vitest";
import { markupFlawOf, hasMoreTags } from "../../../server/foreign/xml-markup.ts";

interface Piece {
  readonly xml: string;
  /** Its tags and attributes. */
  readonly count: number;
  /** Whether references in it are read. */
  readonly isRead: boolean;
}

/** What looks like markup, and nothing that is not well-formed where it is put. */
const confusing = fc
  .array(
    fc.constantFrom("<", ">", "'", '"', "=", "<b c='d'/>", "<!--", "-->", "<![CDATA[", "<?", "?>", "]]>", '="', "x"),
  )
  .map((parts) => parts.join(""));
const escaped = (text: string, quote: string) =>
  text.replaceAll("<", "&lt;").replaceAll(quote, quote === '"' ? "&quot;" : "&apos;");
const without = (text: string, ...ends: string[]) =>
  ends.reduce((rest, end) => rest.replaceAll(end, ""), text).replaceAll("-", "");

const attribute = fc.tuple(confusing, fc.constantFrom('"', "'"));
const pieces: fc.Arbitrary<(mark: string) => Piece> = fc.oneof(
  confusing.map((text) => (mark: string) => ({ xml: `${escaped(text, "]]>")}${mark}`, count: 0, isRead: true })),
  confusing.map((text) => (mark: string) => ({ xml: `<!--${without(text)}${mark}-->`, count: 0, isRead: false })),
  confusing.map((text) => (mark: string) => ({
    xml: `<![CDATA[${without(text, "]]>")}${mark}]]>`,
    count: 0,
    isRead: false,
  })),
  confusing.map((text) => (mark: string) => ({
    xml: `<?p ${without(text, "?>", "'", '"', "?")}${mark}?>`,
    count: 1,
    isRead: false,
  })),
  fc.array(attribute, { maxLength: 3 }).map((attributes) => (mark: string) => ({
    xml: `<e${attributes.map(([text, quote], at) => ` a${String(at)} = ${quote}${escaped(text, quote)}${mark}${quote}`).join("")}></e>`,
    count: 2 + attributes.length,
    isRead: attributes.length > 0,
  })),
);

it("tags and attributes are counted, and references found, whatever stands beside them", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), fc.nat(11), (makers, chosen) => {
      const built = (marked: number) => makers.map((make, at) => make(at === marked ? "&#1;" : ""));
      const [plain, marked] = [built(-1), built(chosen)];
      const document = (all: readonly Piece[]) => `<r>${all.map(({ xml }) => xml).join("")}</r>`;
      const count = plain.reduce((sum, piece) => sum + piece.count, 2);
      expect(XMLValidator.validate(document(plain))).toBe(true);
      expect([hasMoreTags(document(plain), count - 1), hasMoreTags(document(plain), count)]).toEqual([true, false]);
      expect(markupFlawOf(document(plain))).toBeUndefined();
      expect(markupFlawOf(document(marked))).toBe(marked[chosen]?.isRead === true ? "character" : undefined);
    }),
    { numRuns: 2000 },
  );
});

it.each(['<a b="<"/>', "<a b='<!--'/>", "<a><!b></a>", "<a><![x]]></a>", '<a b="x<![CDATA[">]]></a>'])(
  "%s has a < that begins no tag",
  (xml) => expect(markupFlawOf(xml)).toBe("less_than"),
);

it.each(['<r><?p "?><!--"?><a>x&#1;y</a><!-- --></r>', '<r><?><a>&#1;</a><b c="?>"/></r>'])(
  "%s has a forbidden character where the parser ends an instruction otherwise than the validator",
  (xml) => {
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(markupFlawOf(xml)).toBe("character");
  },
);
