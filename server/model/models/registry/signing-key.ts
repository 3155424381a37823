/** The key that signs token requests. Registries that know its public half grant its owner access. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isOpenSshKey, parseOpenSshKey } from "./openssh-key.ts";
import { FatalTransferError } from "./registry-error.ts";

export interface SigningKey {
  /** `<public key>:<signature>`, both base64. @throws FatalTransferError naming the file of an unusable key */
  sign(text: string): Promise<string>;
  /** The public half as a line of SSH's own files. @throws FatalTransferError like `sign` */
  publicKey(): Promise<string>;
}

export interface SigningKeyFiles {
  /** Ollama's key, whose public half users have registered: it is used if it exists, and never created. */
  readonly ollama?: string | undefined;
  /** Our own key, created on first use; its public half is beside it, in a file ending in `.pub`. */
  readonly own: string;
}

const keyType = "ssh-ed25519";

const withLength = (bytes: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** The public half in SSH's format. */
function publicPart(key: KeyObject): string {
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  return Buffer.concat([withLength(Buffer.from(keyType)), withLength(Buffer.from(x, "base64url"))]).toString("base64");
}

function parseKey(text: string, file: string): KeyObject {
  try {
    const key = isOpenSshKey(text) ? parseOpenSshKey(text) : createPrivateKey(text);
    if (key.asymmetricKeyType === "ed25519") return key;
    throw new Error(`its type is ${String(key.asymmetricKeyType)}, not ed25519`);
  } catch (error) {
    throw new FatalTransferError(`the key ${file} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

/** Undefined for a missing or unreadable file. */
async function readKey(file: string): Promise<KeyObject | undefined> {
  try {
    return parseKey(await readFile(file, "utf8"), file);
  } catch (error) {
    if (["ENOENT", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

async function makeKey(file: string): Promise<KeyObject> {
  const { privateKey } = generateKeyPairSync("ed25519");
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600, flag: "wx" });
    await writeFile(`${file}.pub`, `${keyType} ${publicPart(privateKey)} hearth\n`);
    return privateKey;
  } catch (error) {
    // A parallel pull was faster; its key is used.
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return parseKey(await readFile(file, "utf8"), file);
    await rm(file, { force: true }); // a partial key would break every later pull
    throw error;
  }
}

const findKey = async ({ ollama, own }: SigningKeyFiles): Promise<KeyObject> =>
  (ollama === undefined ? undefined : await readKey(ollama)) ?? (await readKey(own)) ?? makeKey(own);

export function createSigningKey(files: SigningKeyFiles): SigningKey {
  let key: Promise<KeyObject> | undefined;
  const find = () =>
    (key ??= findKey(files).catch((error: unknown) => {
      key = undefined;
      throw error;
    }));
  return {
    publicKey: async () => `${keyType} ${publicPart(await find())}`,
    async sign(text) {
      const found = await find();
      return `${publicPart(found)}:${sign(null, Buffer.from(text), found).toString("base64")}`;
    },
  };
}
