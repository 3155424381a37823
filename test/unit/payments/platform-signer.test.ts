/** The share of notifications that the public key signs while a merchant switches to it. */
import { expect, it } from "vitest";
import { PlatformSigner } from "../../../server/provider/payments/keys/platform-signer.ts";

const keys = {
  certificate: async () => ({ serial: "certificate", privateKey: "", publicPart: "" }),
  publicKey: async () => ({ serial: "PUB_KEY_ID_1", privateKey: "", publicPart: "" }),
};

it.each([
  [0.1, 1],
  [1, 10],
  [5, 50],
  [10, 100],
  [20, 200],
  [50, 500],
  [100, 1_000],
])("of 1,000 notifications at %d %%, the public key signs %d, evenly spread", async (public_key_share, expected) => {
  const signer = new PlatformSigner(keys);
  const merchant = { mchId: "1900000109", platformKeys: { mode: "switching", public_key_share } } as const;
  const signed: number[] = [];
  for (let index = 1; index <= 1_000; index++)
    if ((await signer.ofNotification(merchant)).serial !== "certificate") signed.push(index);
  expect(signed).toHaveLength(expected);
  const pauses = new Set(signed.slice(1).map((index, at) => index - (signed[at] ?? 0)));
  expect([...pauses]).toEqual(expected === 1 ? [] : [1_000 / expected]);
});
