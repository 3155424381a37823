/** The cryptography of a payment by `node:crypto` alone, for the bare calls that Hearth is compared with. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSign,
  createVerify,
  generateKeyPairSync,
  randomBytes,
} from "node:crypto";

/** How one side signs its messages, and how the other checks them. */
export interface Prove {
  sign(text: string): string;
  /** @throws Error for a wrong signature */
  check(text: string, signature: string): void;
}

interface Proofs {
  readonly merchant: Prove;
  readonly platform: Prove;
  /** Encrypts the content of a notification. */
  readonly seal: (text: string) => Sealed;
  readonly open: (sealed: Sealed) => string;
}

interface Sealed {
  readonly nonce: Buffer;
  readonly data: Buffer;
  readonly tag: Buffer;
}

function checkBy(sign: (text: string) => string): Prove {
  return {
    sign,
    check(text, signature) {
      if (sign(text) !== signature) throw new Error("wrong signature");
    },
  };
}

function rsa(): Prove {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    sign: (text) => createSign("RSA-SHA256").update(text).sign(privateKey, "base64"),
    check(text, signature) {
      if (!createVerify("RSA-SHA256").update(text).verify(publicKey, signature, "base64"))
        throw new Error("wrong signature");
    },
  };
}

const key = randomBytes(32);
const plain = (text: string): Sealed => ({ nonce: Buffer.alloc(0), data: Buffer.from(text), tag: Buffer.alloc(0) });

function seal(text: string): Sealed {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const data = Buffer.concat([cipher.update(text), cipher.final()]);
  return { nonce, data, tag: cipher.getAuthTag() };
}

function open({ nonce, data, tag }: Sealed): string {
  const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAuthTag(tag);
  return Buffer.concat([decipher.update(data), decipher.final()]).toString("utf8");
}

/** @param name `none`, `MD5` or `HMAC-SHA256` of version 2, or `v3` */
export function proofsOf(name: string): Proofs {
  if (name === "v3") return { merchant: rsa(), platform: rsa(), seal, open };
  const sign = {
    none: () => "",
    MD5: (text: string) => createHash("md5").update(text).update(key).digest("hex"),
    "HMAC-SHA256": (text: string) => createHmac("sha256", key).update(text).digest("hex"),
  }[name];
  if (sign === undefined) throw new Error(`unknown proofs: ${name}`);
  const both = checkBy(sign);
  return { merchant: both, platform: both, seal: plain, open: ({ data }) => data.toString("utf8") };
}
