/**
 * The RSA keys of the simulated platform and its merchants, created in advance and stored in the database. They are
 * test keys: the control routes publish them, and they work nowhere else. Even so they never appear in a log.
 */
import { createPrivateKey, type KeyObject, type X509Certificate } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Kysely } from "kysely";
import { changeAndNotify } from "../../../store/change-and-notify.ts";
import { createTurns } from "../../../process/create-turns.ts";
import { renameFile } from "../../../file-system/rename-file.ts";
import type { Instances } from "../../../store/database.ts";
import { keyRow, type MerchantCertificate } from "./key-rows.ts";
import type { KeysTables, SimKey } from "./keys-table.ts";
import { makeCertificate, makePublicKey, readPublicKey } from "./make-certificate.ts";
import type { PlatformKey, PlatformMode } from "./platform-key.ts";

/** PEM; times in Unix ms. */
export interface PlatformCertificate {
  readonly serial: string;
  readonly certificate: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** PEM texts. */
export interface MerchantKey {
  readonly serial: string;
  readonly certificate: string;
  readonly privateKey: string;
}

export interface Keys {
  /** The key that currently signs. */
  platform(): Promise<PlatformKey>;
  /** The key with this serial or id (case-insensitive), to which merchants encrypt. */
  platformKey(serial: string): Promise<KeyObject | undefined>;
  /** The newest certificate and the one before it, which may still have signed replies in transit. */
  certificates(): Promise<readonly PlatformCertificate[]>;
  /** Undefined until the mode was used once. */
  publicKey(): Promise<{ readonly id: string; readonly publicKey: string } | undefined>;
  /** Creates the missing keys of the platform and these merchants. Reading a key waits for it. */
  make(mchIds: readonly string[]): Promise<void>;
  /** The key that the simulator created for a merchant. */
  merchant(mchId: string): Promise<MerchantKey>;
  /**
   * Adds a merchant's own certificate, or replaces the one with its serial; the private key stays with the merchant. One
   * that the simulator made is never replaced.
   */
  registerMerchant(certificate: MerchantCertificate): Promise<void>;
  /** The merchant's signing key with this serial (case-insensitive). */
  merchantPublicKey(mchId: string, serial: string): Promise<KeyObject | undefined>;
  /** All signing keys of a merchant, for messages that do not name one. */
  merchantPublicKeys(mchId: string): Promise<readonly KeyObject[]>;
  /** The merchants whose certificate this is. */
  certified(certificate: X509Certificate): Promise<readonly string[]>;
  /** Creates a new platform certificate, which signs from now on if the mode is `certificate`. */
  rotate(): Promise<PlatformKey>;
  /** Selects what signs from now on. */
  use(mode: PlatformMode): Promise<PlatformKey>;
}

interface Options {
  readonly db: Kysely<KeysTables>;
  /** Unix ms by a real clock, with which peers compare the times of certificates. */
  readonly now: () => number;
  /** The path at which the newest platform certificate is stored, for clients that are configured with a file. */
  readonly certificateFile: string;
  /** Simulators that share the keys. */
  readonly instances: Pick<Instances, "tell" | "subscribe"> | undefined;
}

const topic = "keys";
const platformName = "Hearth simulated payment platform";
export function createKeys({ db, now, certificateFile, instances }: Options): Keys {
  let signing: Promise<PlatformKey> | undefined;
  const merchants = new Map<string, Promise<MerchantKey>>();
  let publicKeys = new Map<string, KeyObject>();

  /** For creating and selecting keys. Within a turn, `platform` would wait for a later one: `loadPlatform` does not. */
  const inTurn = createTurns();

  const platformRows = (kind: "certificate" | "public_key", tables = db) =>
    tables.selectFrom("sim_keys").selectAll().where("kind", "=", kind).orderBy("id", "desc").limit(2).execute();

  /** The stored key, or one that is made now. Of simulators that make it at the same time, one stores it. */
  async function storedOrMade(
    find: (tables: Kysely<KeysTables>) => Promise<SimKey | undefined>,
    make: () => Promise<ReturnType<typeof keyRow>>,
  ): Promise<SimKey> {
    const stored = await find(db);
    if (stored) return stored;
    const row = await make();
    return db.transaction().execute(async (trx) => {
      const found = await find(trx);
      return found ?? (await trx.insertInto("sim_keys").values(row).returningAll().executeTakeFirstOrThrow());
    });
  }

  /** Writes the file atomically: a client may be reading it. */
  async function writeFileOf(certificate: string): Promise<void> {
    await mkdir(dirname(certificateFile), { recursive: true });
    const part = `${certificateFile}.part`;
    await writeFile(part, certificate);
    await renameFile(part, certificateFile);
  }

  async function addCertificate(): Promise<SimKey> {
    const made = await makeCertificate(platformName, now());
    const row = await db
      .insertInto("sim_keys")
      .values(keyRow("certificate", "", made))
      .returningAll()
      .executeTakeFirstOrThrow();
    await writeFileOf(row.public_part);
    return row;
  }

  const newestCertificate = () =>
    storedOrMade(
      async (tables) => (await platformRows("certificate", tables))[0],
      async () => keyRow("certificate", "", await makeCertificate(platformName, now()), 1),
    );

  const addPublicKey = async (): Promise<SimKey> =>
    db
      .insertInto("sim_keys")
      .values(keyRow("public_key", "", await makePublicKey(now())))
      .returningAll()
      .executeTakeFirstOrThrow();

  const toPlatformKey = (row: SimKey): PlatformKey => ({
    mode: row.kind === "public_key" ? "public_key" : "certificate",
    serial: row.serial,
    privateKey: createPrivateKey(row.private_key),
  });

  async function loadPlatform(): Promise<PlatformKey> {
    const chosen = await db.selectFrom("sim_keys").selectAll().where("signs", "=", 1).executeTakeFirst();
    const newest = await newestCertificate();
    await writeFileOf(newest.public_part); // the file may have been deleted
    return toPlatformKey(chosen ?? newest);
  }

  async function signBy(row: SimKey): Promise<PlatformKey> {
    await changeAndNotify(db, instances, topic, (trx) =>
      trx
        .updateTable("sim_keys")
        .set((set) => ({ signs: set.case().when("id", "=", row.id).then(set.lit(1)).else(set.lit(0)).end() }))
        .where("kind", "!=", "merchant")
        .execute(),
    );
    const key = toPlatformKey(row);
    signing = Promise.resolve(key);
    return key;
  }

  async function loadMerchant(mchId: string): Promise<MerchantKey> {
    const find = (tables: Kysely<KeysTables>) =>
      tables
        .selectFrom("sim_keys")
        .selectAll()
        .where("kind", "=", "merchant")
        .where("mch_id", "=", mchId)
        .where("private_key", "!=", "")
        .executeTakeFirst();
    const make = async () => keyRow("merchant", mchId, await makeCertificate(`Hearth merchant ${mchId}`, now()));
    return toMerchantKey(await storedOrMade(find, make));
  }

  function merchant(mchId: string): Promise<MerchantKey> {
    const known = merchants.get(mchId);
    if (known) return known;
    const loading = forgetting(
      inTurn(() => loadMerchant(mchId)),
      () => merchants.delete(mchId),
    );
    merchants.set(mchId, loading);
    return loading;
  }

  instances?.subscribe(topic, () => {
    signing = undefined;
    publicKeys = new Map();
  });
  const platform = () => (signing ??= forgetting(inTurn(loadPlatform), () => (signing = undefined)));

  return {
    platform,
    async make(mchIds) {
      await Promise.all([platform(), ...mchIds.map(merchant)]);
    },
    async platformKey(serial) {
      const row = await db
        .selectFrom("sim_keys")
        .select("private_key")
        .where("kind", "!=", "merchant")
        .where("serial", "=", serial.toUpperCase())
        .executeTakeFirst();
      return row && createPrivateKey(row.private_key);
    },
    async certificates() {
      await platform();
      return (await platformRows("certificate")).map((row) => ({
        serial: row.serial,
        certificate: row.public_part,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
      }));
    },
    async publicKey() {
      const [row] = await platformRows("public_key");
      return row && { id: row.serial, publicKey: row.public_part };
    },
    merchant,
    async registerMerchant(certificate) {
      const { public_part, created_at, expires_at } = certificate;
      await changeAndNotify(db, instances, topic, (trx) =>
        trx
          .insertInto("sim_keys")
          .values(certificate)
          .onConflict((conflict) =>
            conflict
              .columns(["mch_id", "serial"])
              .doUpdateSet({ public_part, created_at, expires_at })
              .where("sim_keys.private_key", "=", ""),
          )
          .execute(),
      );
      publicKeys = new Map();
    },
    async merchantPublicKey(mchId, serial) {
      const name = `${mchId} ${serial.toUpperCase()}`;
      const cached = publicKeys; // a key that is replaced while it is read stays out of what follows
      const known = cached.get(name);
      if (known) return known;
      const row = await db
        .selectFrom("sim_keys")
        .select("public_part")
        .where("kind", "=", "merchant")
        .where("mch_id", "=", mchId)
        .where("serial", "=", serial.toUpperCase())
        .executeTakeFirst();
      if (!row) return undefined;
      const key = readPublicKey(row.public_part);
      cached.set(name, key);
      return key;
    },
    async merchantPublicKeys(mchId) {
      const rows = await db
        .selectFrom("sim_keys")
        .select("public_part")
        .where("kind", "=", "merchant")
        .where("mch_id", "=", mchId)
        .execute();
      return rows.map((row) => readPublicKey(row.public_part));
    },
    async certified(certificate) {
      const rows = await db
        .selectFrom("sim_keys")
        .select("mch_id")
        .where("kind", "=", "merchant")
        .where("public_part", "=", certificate.toString())
        .execute();
      return rows.map((row) => row.mch_id);
    },
    rotate: () =>
      inTurn(async () => {
        const current = await loadPlatform();
        const row = await addCertificate();
        return current.mode === "certificate" ? signBy(row) : current;
      }),
    async use(mode) {
      await platform();
      return inTurn(async () => {
        const [newest] = await platformRows(mode);
        return signBy(newest ?? (mode === "public_key" ? await addPublicKey() : await addCertificate()));
      });
    },
  };
}

/** A failure is not cached: the next call tries again. */
async function forgetting<Value>(made: Promise<Value>, forget: () => void): Promise<Value> {
  try {
    return await made;
  } catch (error) {
    forget();
    throw error;
  }
}

const toMerchantKey = (row: SimKey): MerchantKey => ({
  serial: row.serial,
  certificate: row.public_part,
  privateKey: row.private_key,
});
