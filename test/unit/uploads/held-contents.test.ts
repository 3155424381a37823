import { describe, expect, it } from "vitest";
import { createHeldContents } from "../../../server/app/uploads/held-contents.ts";

/** Instances whose database can be away for a moment: what is shared then is lost. */
function scene() {
  let connection = {};
  const share = async () => {
    const by = connection;
    return async () => by === connection;
  };
  return { held: createHeldContents({ share, take: share }), loseConnection: () => (connection = {}) };
}

describe("held contents", () => {
  it("are known as lost to their holders of before a loss of the database, and to no others", async () => {
    const { held, loseConnection } = scene();
    const before = await held.hold(["a", "b"]);
    loseConnection();
    const after = await held.hold(["a"]);
    expect(await before.release()).toBe(false);
    expect(await after.release()).toBe(true);
  });

  it("are held until the last holder releases them", async () => {
    const { held } = scene();
    const [one, other] = [await held.hold(["a"]), await held.hold(["a"])];
    const work = () => held.runIfFree("a", async () => "removed");
    await one.release();
    expect(await work()).toBeUndefined();
    await other.release();
    expect(await work()).toBe("removed");
  });
});
