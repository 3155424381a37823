/** Checks of receivers of Alipay's notifications: a right one passes, and a mistake fails its own rows. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startAlipayScene, type AlipayScene } from "../../support/payments/alipay-scene.ts";
import { startAlipayShop, type AlipayMistake } from "../../support/payments/receivers/alipay-shop.ts";
import { allowTime, checkReceiver, failed, rowsOf } from "../../support/payments/receivers/receiver-checks.ts";

let scene: AlipayScene;
beforeAll(async () => {
  scene = await startAlipayScene();
  await allowTime(scene.provider.url);
});
afterAll(() => scene[Symbol.asyncDispose]());

describe("a check of a receiver of Alipay", () => {
  it("passes a right one in all rows of Alipay, and tries no other", async () => {
    await using shop = await startAlipayShop(scene);
    const check = await checkReceiver(scene.provider, shop.described);
    expect([check.problem, failed(check), rowsOf(check, "not_judged")]).toEqual([undefined, {}, ["lost"]]);
    expect(check.results).toHaveLength(19);
    expect(check.results[0]?.version).toBe("alipay");
  });

  it.each([
    ["signature", ["forged-wrong-key", "forged-changed-field", "forged-missing"]],
    ["amount", ["amount-more", "amount-less"]],
    ["merchant", ["foreign-merchant", "foreign-app"]],
    ["repeat", ["duplicate-serial", "duplicate-concurrent", "late-copy"]],
    ["answer", ["answer-form"]],
  ] as const satisfies readonly (readonly [AlipayMistake, readonly string[]])[])(
    "fails one that is careless about the %s in its own rows",
    async (mistake, rows) => {
      await using shop = await startAlipayShop(scene, mistake);
      const others = ["genuine", "unknown-fields"] as const;
      const check = await checkReceiver(scene.provider, { ...shop.described, only: [...others, ...rows] });
      expect(Object.keys(failed(check)).toSorted()).toEqual([...rows].toSorted());
    },
  );

  it("does not judge rows that Alipay has not", async () => {
    await using shop = await startAlipayShop(scene);
    const check = await checkReceiver(scene.provider, { ...shop.described, only: ["query-first"] });
    expect(check.results).toMatchObject([{ verdict: "not_judged", seen: "not for Alipay" }]);
  });
});
