/** The keys of Alipay and of its built-in merchant, made at their first use and stored with the other keys. */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { Kysely } from "kysely";
import { alipayCertSn } from "../../../payment-wire/sign-alipay.ts";
import { keyRow } from "../keys/key-rows.ts";
import type { KeysTables, SimKey } from "../keys/keys-table.ts";
import { makeCertificate, makePair } from "../keys/make-certificate.ts";
import { alipayAccount } from "./alipay-account.ts";

/** Certificates are PEM texts. Alipay's root has signed the other two. */
export interface AlipayOwnKeys {
  readonly merchantPrivateKey: KeyObject;
  readonly merchantPublicKey: KeyObject;
  readonly alipayPrivateKey: KeyObject;
  readonly appCert: string;
  readonly alipayCert: string;
  readonly rootCert: string;
  readonly appCertSn: string;
  readonly alipayCertSn: string;
  readonly rootCertSn: string;
}

type NewKey = ReturnType<typeof keyRow>;
const kinds = ["alipay_root", "alipay_platform", "alipay_merchant"] as const;

async function makeRows(at: number): Promise<NewKey[]> {
  // Keys take the longest, so they are made at the same time.
  const [rootPair, platformPair, merchantPair] = await Promise.all(kinds.map(makePair));
  const root = await makeCertificate("Hearth simulated Alipay root", at, { pair: rootPair, isAuthority: true });
  const platform = await makeCertificate("Hearth simulated Alipay", at, { pair: platformPair, issuer: root });
  const merchant = await makeCertificate("Hearth app of Alipay", at, { pair: merchantPair, issuer: root });
  return [
    keyRow("alipay_root", "", root),
    keyRow("alipay_platform", "", platform),
    keyRow("alipay_merchant", alipayAccount.sellerId, merchant),
  ];
}

export class AlipayKeys {
  readonly #db: Kysely<KeysTables>;
  /** Unix ms by a real clock. */
  readonly #now: () => number;
  #own: Promise<AlipayOwnKeys> | undefined;

  constructor(db: Kysely<KeysTables>, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Makes the keys at the first call, which takes a processor half a second. */
  own(): Promise<AlipayOwnKeys> {
    return (this.#own ??= this.#load().catch((error: unknown) => {
      this.#own = undefined;
      throw error;
    }));
  }

  async #load(): Promise<AlipayOwnKeys> {
    const stored = await this.#read(this.#db);
    return stored ?? this.#store(await makeRows(this.#now()));
  }

  /** Of several simulators that make the keys at the same time, one stores them. */
  #store(rows: readonly NewKey[]): Promise<AlipayOwnKeys> {
    return this.#db.transaction().execute(async (trx) => {
      const stored = await this.#read(trx);
      if (stored) return stored;
      return toOwnKeys(await trx.insertInto("sim_keys").values(rows).returningAll().execute());
    });
  }

  async #read(tables: Kysely<KeysTables>): Promise<AlipayOwnKeys | undefined> {
    const rows = await tables.selectFrom("sim_keys").selectAll().where("kind", "in", kinds).execute();
    return rows.length < kinds.length ? undefined : toOwnKeys(rows);
  }
}

function toOwnKeys(rows: readonly SimKey[]): AlipayOwnKeys {
  const of = (kind: (typeof kinds)[number]) => {
    const row = rows.find((one) => one.kind === kind);
    return { cert: row?.public_part ?? "", key: row?.private_key ?? "" };
  };
  const [root, platform, merchant] = [of("alipay_root"), of("alipay_platform"), of("alipay_merchant")];
  return {
    merchantPrivateKey: createPrivateKey(merchant.key),
    merchantPublicKey: createPublicKey(merchant.cert),
    alipayPrivateKey: createPrivateKey(platform.key),
    appCert: merchant.cert,
    alipayCert: platform.cert,
    rootCert: root.cert,
    appCertSn: alipayCertSn(merchant.cert),
    alipayCertSn: alipayCertSn(platform.cert),
    rootCertSn: alipayCertSn(root.cert),
  };
}
