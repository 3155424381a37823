/** The key by which this installation signs token requests. A registry that knows its public half lets its owner in. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

export interface SigningKey {
  /** `<public key>:<signature>`, both base64. The key is made, and kept in its file, the first time. */
  sign(text: string): Promise<string>;
}

const keyType = "ssh-ed25519";

const withLength = (bytes: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** The public half as SSH writes it. */
function publicPart(key: KeyObject): string {
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  return Buffer.concat([withLength(Buffer.from(keyType)), withLength(Buffer.from(x, "base64url"))]).toString("base64");
}

async function readOrMake(file: string): Promise<KeyObject> {
  try {
    return createPrivateKey(await readFile(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const { privateKey } = generateKeyPairSync("ed25519");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600, flag: "wx" }).catch(
    // Another pull was quicker: its key counts.
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    },
  );
  return createPrivateKey(await readFile(file));
}

export function createSigningKey(file: string): SigningKey {
  let key: Promise<KeyObject> | undefined;
  return {
    async sign(text) {
      key ??= readOrMake(file).catch((error: unknown) => {
        key = undefined;
        throw error;
      });
      const own = await key;
      return `${publicPart(own)}:${sign(null, Buffer.from(text), own).toString("base64")}`;
    },
  };
}
