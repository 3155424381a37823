/** The contents behind the uploads, with holds for new rows and the list of lost contents. */
import { message, type Message } from "../../contract/messages/message.ts";
import { expressionBuilder, sql } from "kysely";
import type { Logger } from "pino";
import type { LossReason, UploadCheck, UploadContentsState } from "../../contract/console/data/stored-uploads.ts";
import type { Upload } from "../../contract/app/uploads.ts";
import { StoreProblem } from "../../contract/process/store-problem.ts";
import type { EventBus } from "../../events/event-bus.ts";
import { refuse } from "../../http/http-error.ts";
import type { BlobStore, OpenBlob } from "../../store/blobs/blob-store.ts";
import type { Database } from "../../store/database.ts";
import { createHeldContents, type HeldContents, type Hold } from "./held-contents.ts";
import { isReferenced, isThere, reconcileUploads, reportReconciled, type Reconciled } from "./reconcile-uploads.ts";
import type { UploadsTables } from "./uploads-table.ts";
import { createVerifier } from "./verify-contents.ts";

interface Deps {
  readonly database: Database<UploadsTables>;
  readonly blobs: BlobStore;
  readonly bus: EventBus;
  readonly log: Logger;
  /** The result of reconciling the uploads at the start, if that has waited for it. */
  readonly reconciled: Reconciled | undefined;
}

export type StoredFile = Pick<Upload, "id" | "file_name" | "sha256" | "size">;

export interface UploadContents {
  /** Prevents the removal of contents until the hold is `named` or released. */
  hold: HeldContents["hold"];
  /**
   * Reports that rows refer to the held contents, which are present and undamaged.
   * @throws StoreProblem when one was removed meanwhile, because its hold was lost with the database
   */
  named(hold: Hold): Promise<void>;
  /** Removes those contents that no upload refers to, now or soon. */
  removeUnnamed(sha256s: readonly string[]): Promise<void>;
  /** Deletes contents that were set aside and that no upload refers to. Returns their number. */
  removeOrphans(): Promise<number>;
  /** @throws HttpError 404 `content_lost` when it is missing or damaged */
  open: (upload: StoredFile) => Promise<OpenBlob>;
  /** Why this content is lost, as found by the start, a check, or a reader. */
  lossOf(sha256: string): LossReason | undefined;
  lostOnes(): string[];
  state(): Promise<UploadContentsState>;
  /**
   * Makes rows and files agree again while the server runs, and verifies restored contents.
   * @throws HttpError 409 while another check runs, or the reason of the signal
   */
  check(signal: AbortSignal): Promise<UploadCheck>;
}

const listed = expressionBuilder();

/** The condition for rows that refer to one of these contents. */
export const namesOneOf = (sha256s: readonly string[]) =>
  sql<boolean>`sha256 in (select value from ${listed.fn("json_each", [listed.val(JSON.stringify(sha256s))])})`;

export function createUploadContents({ database, blobs, bus, log, reconciled }: Deps): UploadContents {
  const { db, instances } = database;
  const held = createHeldContents(instances);
  const lost = new Map<string, LossReason>(reconciled?.missing.map((sha256) => [sha256, "missing"]));
  const verifier = createVerifier({ blobs, held, log, onDamaged: (upload) => lose(upload, "damaged") });
  let progress: UploadContentsState["check"];
  void checkAll(reconciled?.takenBack ?? []).catch((error: unknown) =>
    log.error({ err: error }, "uploads cannot be read"),
  );

  /** Verifies contents that were taken back: damage may be the reason why they were set aside. */
  async function checkAll(sha256s: readonly string[]): Promise<void> {
    if (sha256s.length === 0) return;
    const uploads = db.selectFrom("uploads").select(["id", "file_name", "sha256"]).where(namesOneOf(sha256s));
    for (const upload of await uploads.execute()) verifier.check(upload);
  }

  function lose({ id, file_name, sha256 }: Omit<StoredFile, "size">, reason: LossReason): void {
    const before = lost.get(sha256);
    lost.set(sha256, reason);
    if (before === undefined)
      bus.publish({ type: "upload.lost", source, subject: String(id), data: { id, file_name, reason } });
  }

  const lossError = ({ id }: StoredFile, how: Message) =>
    refuse(blobs.isRemote ? "upload.lostRemote" : "upload.lost", { id, how });

  async function requirePresent(sha256s: readonly string[]): Promise<void> {
    for (const sha256 of sha256s) {
      if (await isThere(blobs, sha256)) continue;
      lost.set(sha256, "missing");
      throw new StoreProblem("database_unreachable", undefined, "store.raced");
    }
  }

  async function countOf(sha256s: readonly string[]): Promise<number> {
    if (sha256s.length === 0) return 0;
    const counted = db.selectFrom("uploads").select((e) => e.fn.countAll<number>().as("count"));
    return (await counted.where(namesOneOf(sha256s)).executeTakeFirstOrThrow()).count;
  }

  /** Reads the lost contents that are present again. Returns the undamaged ones. */
  async function verifyReturned({ missing, takenBack }: Reconciled, signal: AbortSignal): Promise<string[]> {
    const gone = new Set(missing);
    const returned = [...new Set([...lost.keys(), ...takenBack])].filter((sha256) => !gone.has(sha256));
    const whole: string[] = [];
    let done = 0;
    for (const sha256 of returned) {
      progress = { done: done++, total: returned.length };
      signal.throwIfAborted();
      const condition = await verifier.verify(sha256, signal);
      if (condition === "damaged") lost.set(sha256, condition);
      else lost.delete(sha256); // also when its upload is gone
      if (condition === "whole") whole.push(sha256);
    }
    return whole;
  }

  return {
    hold: held.hold,

    async named({ sha256s, release }) {
      for (const sha256 of sha256s) lost.delete(sha256);
      const wereHeld = await release();
      for (const sha256 of sha256s) await blobs.settle(sha256);
      if (!wereHeld) await requirePresent(sha256s);
    },

    async removeUnnamed(sha256s) {
      for (const sha256 of new Set(sha256s))
        await held.unlessHeld(sha256, async () => {
          if (!(await isReferenced(db, sha256))) await blobs.remove(sha256);
        });
    },

    removeOrphans: () => blobs.removeSetAside((sha256) => isReferenced(db, sha256)),

    async open(upload) {
      const content = await blobs.open(upload.sha256);
      if (!content) {
        verifier.forget(upload.sha256);
        lose(upload, "missing");
        throw lossError(upload, message("upload.notThere"));
      }
      verifier.check(upload);
      if (content.size !== upload.size) {
        await content[Symbol.asyncDispose]();
        lose(upload, "damaged");
        throw lossError(upload, message("upload.damaged"));
      }
      if (lost.delete(upload.sha256)) {
        const { id, file_name } = upload;
        bus.publish({ type: "upload.recovered", source, subject: String(id), data: { id, file_name } });
      }
      return content;
    },

    lossOf: (sha256) => lost.get(sha256),
    lostOnes: () => [...lost.keys()],

    state: async () => ({
      folder: blobs.place,
      lost: await countOf([...lost.keys()]),
      orphans: await blobs.orphans(),
      ...(progress && { check: progress }),
    }),

    async check(signal) {
      if (progress) throw refuse("upload.checking");
      progress = { done: 0, total: 0 };
      try {
        const found = await reconcileUploads(db, blobs, held, (sha256) => {
          lost.set(sha256, lost.get(sha256) ?? "missing");
        });
        reportReconciled(found, blobs.place, log);
        const whole = await verifyReturned(found, signal);
        signal.throwIfAborted();
        const checked = {
          recovered: await countOf(whole),
          lost: await countOf([...lost.keys()]),
          set_aside: found.setAside,
        };
        bus.publish({ type: "uploads.checked", source, data: checked });
        return checked;
      } finally {
        progress = undefined;
      }
    },
  };
}

const source = "/app/uploads";
