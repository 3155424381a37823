/** The topics that ship with the starter model, as the service looks them up. */
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { hintsFor } from "../../../server/model/starter/hints.ts";
import { knownQuestion, topicsFile, topicsIn } from "../../../server/model/starter/topics.ts";
import { starterFile } from "../../../server/model/starter/starter-file.ts";

const shipped = starterFile(join(import.meta.dirname, "../../../server/model"));
const { find, all } = await topicsIn(join(dirname(shipped), topicsFile))();

describe("the shipped topics", () => {
  it("are found by the questions that they offer, surely, in both languages", () => {
    const offered = all.filter(({ question }) => question !== undefined);
    expect(offered.length).toBeGreaterThan(200);
    for (const { question } of offered)
      for (const text of [question?.en ?? "", question?.zh ?? ""])
        expect(knownQuestion(find(text)), text).toEqual(question);
  });

  it("are likely to the same extent however often one looks, and make a whole", () => {
    const found = find("How can my profile photo be uploaded?");
    expect(found).toHaveLength(all.length);
    expect(found.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect(find("How can my profile photo be uploaded?")).toEqual(found);
  });

  it.each(["Write a poem about autumn", "今天股市怎么样", "GREEN APPLES in lower case", "12 + 7", "~", "", "%%%"])(
    "are no hint for what has nothing to do with them: %s",
    (text) => {
      expect(knownQuestion(find(text))).toBeUndefined();
      expect(hintsFor(text, find(text))?.split("; ").length ?? 0).toBeLessThanOrEqual(5);
    },
  );
});
