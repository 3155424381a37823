/** The rows about notifications of the products beside payments, and about message push. */
import type { RowText } from "./row-texts.ts";

/** A row of another product, with the one of its forgeries. */
const product = (name: string): RowText => ({
  name,
  sent: "A valid notification of version 3, and a copy.",
  right: "Accepts both with 200 or 204.",
  why: "The platform repeats the notification, and at last gives up.",
});
const forgedProduct = (name: string): RowText => ({
  name: `${name}, forged`,
  sent: "Three forgeries: an unknown key, no signature, a changed resource.",
  right: "Refuses each with 4xx or 5xx.",
  why: "Anybody can send this request, and your books would believe it.",
});

export const productRowTexts = {
  shares: product("profit sharing"),
  "shares-forged": forgedProduct("profit sharing"),
  transfer: product("transfer to a user"),
  "transfer-forged": forgedProduct("transfer to a user"),
  complaint: product("complaint"),
  "complaint-forged": forgedProduct("complaint"),
  "contract-signed": product("contract signed"),
  "contract-signed-forged": forgedProduct("contract signed"),
  "contract-ended": product("contract ended"),
  "contract-ended-forged": forgedProduct("contract ended"),
  deduction: product("deduction failed"),
  "deduction-forged": forgedProduct("deduction failed"),
  combined: product("combined order"),
  "combined-forged": forgedProduct("combined order"),
} as const satisfies Record<string, RowText>;

export const pushRowTexts = {
  "push-address": {
    name: "message push: address",
    sent: "The GET with echostr, signed with the token.",
    right: "Returns echostr with 200.",
    why: "The platform does not store an address that does not return echostr.",
  },
  "push-address-forged": {
    name: "message push: address, forged",
    sent: "The GET with echostr: signed with another token, and without a signature.",
    right: "Does not return echostr.",
    why: "Anybody could name your server as a receiver, and find out that it verifies nothing.",
  },
  push: {
    name: "message push",
    sent: "A message in the stored mode and format, and a copy.",
    right: "Accepts both: 200 with an empty body or success.",
    why: "The platform repeats the message, and at last gives up.",
  },
  "push-forged": {
    name: "message push, forged",
    sent: "Forged messages: another token, no signature, in safe mode also another text.",
    right: "Accepts none.",
    why: "Anybody can send this request, and your server would believe it.",
  },
} as const satisfies Record<string, RowText>;
