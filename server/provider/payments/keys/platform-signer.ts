import type { Merchant } from "../merchants/merchants.ts";
import type { Keys } from "./keys.ts";
import type { PlatformKey } from "./platform-key.ts";

type Receiver = Pick<Merchant, "mchId" | "platformKeys">;

/**
 * Chooses the key that signs a message to a merchant, by the merchant's mode. While it switches, a request selects the
 * key of its reply, and the public key signs its share of the notifications, evenly spread: with 50 % each second one.
 */
export class PlatformSigner {
  readonly #keys: Pick<Keys, "certificate" | "publicKey">;
  /** The number of notifications to each merchant that switches, since the start. */
  readonly #notified = new Map<string, number>();

  constructor(keys: Pick<Keys, "certificate" | "publicKey">) {
    this.#keys = keys;
  }

  key(kind: "certificate" | "public_key"): Promise<PlatformKey> {
    return kind === "public_key" ? this.#keys.publicKey() : this.#keys.certificate();
  }

  /** @param named the request's `Wechatpay-Serial`; while switching, the certificate signs if it names no key. */
  async ofReply({ platformKeys: { mode } }: Receiver, named: string | undefined): Promise<PlatformKey> {
    if (mode !== "switching") return this.key(mode);
    const publicKey = await this.key("public_key");
    return named?.toUpperCase() === publicKey.serial ? publicKey : this.key("certificate");
  }

  ofNotification({ mchId, platformKeys: { mode, public_key_share } }: Receiver): Promise<PlatformKey> {
    if (mode !== "switching") return this.key(mode);
    const count = (this.#notified.get(mchId) ?? 0) + 1;
    this.#notified.set(mchId, count);
    const byPublicKey = (notifications: number) => Math.floor((notifications * public_key_share) / 100);
    return this.key(byPublicKey(count) > byPublicKey(count - 1) ? "public_key" : "certificate");
  }
}
