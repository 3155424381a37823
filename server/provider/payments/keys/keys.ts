import { createPrivateKey, type KeyObject, type X509Certificate } from "node:crypto";
import { writeFile } from "node:fs/promises";
import type { Kysely } from "kysely";
import { changeAndNotify } from "../../../store/change-and-notify.ts";
import { createTurns } from "../../../process/create-turns.ts";
import { renameFile } from "../../../file-system/rename-file.ts";
import type { Instances } from "../../../store/database.ts";
import { keyRow, type MerchantCertificate } from "./key-rows.ts";
import type { KeysTables, SimKey } from "./keys-table.ts";
import { makeCertificate, makePublicKey, readPublicKey } from "./make-certificate.ts";
import type { PlatformKey } from "./platform-key.ts";

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

interface Options {
  readonly db: Kysely<KeysTables>;
  /** Unix ms by a real clock, with which peers compare the times of certificates. */
  readonly now: () => number;
  /** The path at which the newest platform certificate is stored, for clients that are configured with a file. */
  readonly certificateFile: string;
  /** Simulators that share the keys. */
  readonly instances: Pick<Instances, "notify" | "subscribe"> | undefined;
}

const topic = "keys";
const platformName = "Hearth simulated payment platform";

type Tables = Kysely<KeysTables>;

const platformRows = (tables: Tables, kind: "certificate" | "public_key") =>
  tables.selectFrom("sim_keys").selectAll().where("kind", "=", kind).orderBy("id", "desc").limit(2).execute();

/** A key of the platform that signs, with its public part as PEM. */
interface PublishedKey extends PlatformKey {
  readonly publicPart: string;
}

const toPlatformKey = (row: SimKey): PublishedKey => ({
  serial: row.serial,
  privateKey: createPrivateKey(row.private_key),
  publicPart: row.public_part,
});

/**
 * The RSA keys of the simulated platform and its merchants, created in advance and stored in the database. They are
 * test keys: the control routes publish them, and they work nowhere else. Even so they never appear in a log.
 */
export class Keys {
  readonly #options: Options;
  /** The newest certificate's key and the bare public key, once they were read. */
  #certificate: Promise<PublishedKey> | undefined;
  #publicKey: Promise<PublishedKey> | undefined;
  readonly #merchants = new Map<string, Promise<MerchantKey>>();
  #publicKeys = new Map<string, KeyObject>();
  /** For creating keys. */
  readonly #inTurn = createTurns();

  constructor(options: Options) {
    this.#options = options;
    options.instances?.subscribe(topic, () => {
      this.#certificate = undefined;
      this.#publicKeys = new Map();
    });
  }

  /** The newest certificate's key. */
  certificate(): Promise<PublishedKey> {
    return (this.#certificate ??= forgetting(
      this.#inTurn(() => this.#loadCertificate()),
      () => (this.#certificate = undefined),
    ));
  }

  /** The bare public key, created at its first use. */
  publicKey(): Promise<PublishedKey> {
    return (this.#publicKey ??= forgetting(
      this.#inTurn(() => this.#loadPublicKey()),
      () => (this.#publicKey = undefined),
    ));
  }

  /** Creates the missing keys of the platform and these merchants. Reading a key waits for it. */
  async make(mchIds: readonly string[]): Promise<void> {
    await Promise.all([this.certificate(), ...mchIds.map((mchId) => this.merchant(mchId))]);
  }

  /** Waits for the keys that are being made. */
  async settle(): Promise<void> {
    await this.#inTurn(() => Promise.resolve());
  }

  /** The key with this serial or id (case-insensitive), to which merchants encrypt. */
  async platformKey(serial: string): Promise<KeyObject | undefined> {
    const row = await this.#options.db
      .selectFrom("sim_keys")
      .select("private_key")
      .where("kind", "in", ["certificate", "public_key"])
      .where("serial", "=", serial.toUpperCase())
      .executeTakeFirst();
    return row && createPrivateKey(row.private_key);
  }

  /** The newest certificate and the one before it, which may still have signed replies in transit. */
  async certificates(): Promise<readonly PlatformCertificate[]> {
    await this.certificate();
    return (await platformRows(this.#options.db, "certificate")).map((row) => ({
      serial: row.serial,
      certificate: row.public_part,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    }));
  }

  /** The key that the simulator created for a merchant. */
  merchant(mchId: string): Promise<MerchantKey> {
    const known = this.#merchants.get(mchId);
    if (known) return known;
    const loading = forgetting(
      this.#inTurn(() => this.#loadMerchant(mchId)),
      () => this.#merchants.delete(mchId),
    );
    this.#merchants.set(mchId, loading);
    return loading;
  }

  /**
   * Adds a merchant's own certificate, or replaces the one with its serial; the private key stays with the merchant. One
   * that the simulator made is never replaced.
   */
  async registerMerchant(certificate: MerchantCertificate): Promise<void> {
    const { db, instances } = this.#options;
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
    this.#publicKeys = new Map();
  }

  /** The merchant's signing key with this serial (case-insensitive). */
  async merchantPublicKey(mchId: string, serial: string): Promise<KeyObject | undefined> {
    const name = `${mchId} ${serial.toUpperCase()}`;
    const cached = this.#publicKeys; // a key that is replaced while it is read does not enter the new map
    const known = cached.get(name);
    if (known) return known;
    const row = await this.#merchantRows()
      .where("mch_id", "=", mchId)
      .where("serial", "=", serial.toUpperCase())
      .executeTakeFirst();
    if (!row) return undefined;
    const key = readPublicKey(row.public_part);
    cached.set(name, key);
    return key;
  }

  /** All signing keys of a merchant, for messages that do not name one. */
  async merchantPublicKeys(mchId: string): Promise<readonly KeyObject[]> {
    const rows = await this.#merchantRows().where("mch_id", "=", mchId).execute();
    return rows.map((row) => readPublicKey(row.public_part));
  }

  /** The merchants that have registered this certificate. */
  async certified(certificate: X509Certificate): Promise<readonly string[]> {
    const rows = await this.#merchantRows().where("public_part", "=", certificate.toString()).execute();
    return rows.map((row) => row.mch_id);
  }

  /** Creates a new platform certificate, which signs in place of the one before it. */
  async rotate(): Promise<void> {
    await this.certificate();
    const { db, instances, now } = this.#options;
    const row = keyRow("certificate", "", await makeCertificate(platformName, now()));
    await changeAndNotify(db, instances, topic, (trx) => this.#insert(row, trx));
    this.#certificate = undefined;
    await this.certificate();
  }

  #merchantRows() {
    return this.#options.db.selectFrom("sim_keys").select(["mch_id", "public_part"]).where("kind", "=", "merchant");
  }

  async #loadCertificate(): Promise<PublishedKey> {
    const newest = await this.#storedOrMade(
      async (tables) => (await platformRows(tables, "certificate"))[0],
      async () => keyRow("certificate", "", await makeCertificate(platformName, this.#options.now())),
    );
    await this.#writeFile(newest.public_part); // the file may have been deleted
    return toPlatformKey(newest);
  }

  async #loadPublicKey(): Promise<PublishedKey> {
    const row = await this.#storedOrMade(
      async (tables) => (await platformRows(tables, "public_key"))[0],
      async () => keyRow("public_key", "", await makePublicKey(this.#options.now())),
    );
    return toPlatformKey(row);
  }

  async #loadMerchant(mchId: string): Promise<MerchantKey> {
    const { now } = this.#options;
    const row = await this.#storedOrMade(
      (tables) =>
        tables
          .selectFrom("sim_keys")
          .selectAll()
          .where("kind", "=", "merchant")
          .where("mch_id", "=", mchId)
          .where("private_key", "!=", "")
          .executeTakeFirst(),
      async () => keyRow("merchant", mchId, await makeCertificate(`Hearth merchant ${mchId}`, now())),
    );
    return { serial: row.serial, certificate: row.public_part, privateKey: row.private_key };
  }

  /** The stored key, or one that is made now. If several simulators make it at the same time, one of them stores it. */
  async #storedOrMade(
    find: (tables: Tables) => Promise<SimKey | undefined>,
    make: () => Promise<ReturnType<typeof keyRow>>,
  ): Promise<SimKey> {
    const { db } = this.#options;
    const stored = await find(db);
    if (stored) return stored;
    const row = await make();
    return db.transaction().execute(async (trx) => (await find(trx)) ?? this.#insert(row, trx));
  }

  #insert(row: ReturnType<typeof keyRow>, tables: Tables = this.#options.db): Promise<SimKey> {
    return tables.insertInto("sim_keys").values(row).returningAll().executeTakeFirstOrThrow();
  }

  /** Writes the file atomically: a client may be reading it. */
  async #writeFile(certificate: string): Promise<void> {
    const { certificateFile } = this.#options;
    const part = `${certificateFile}.part`;
    await writeFile(part, certificate);
    await renameFile(part, certificateFile);
  }
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
