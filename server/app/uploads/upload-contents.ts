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

const listed = expressionBuilder();

/** The condition for rows that refer to one of these contents. */
export const namesOneOf = (sha256s: readonly string[]) =>
  sql<boolean>`sha256 in (select value from ${listed.fn("json_each", [listed.val(JSON.stringify(sha256s))])})`;

/**
 * The contents behind the uploads, with holds for new rows and the list of lost contents.
 * Present → lost, when a reader, a check or the start finds a content missing or damaged → present again, when a reader
 * or a check finds it whole, or a new row refers to it.
 */
export class UploadContents {
  readonly #deps: Deps;
  readonly #held: HeldContents;
  /** Reasons of losses by hash. */
  readonly #lost: Map<string, LossReason>;
  readonly #verifier;
  #progress: UploadContentsState["check"];

  constructor(deps: Deps) {
    this.#deps = deps;
    const { instances } = deps.database;
    const { reconciled, blobs, log } = deps;
    this.#held = createHeldContents(instances);
    this.#lost = new Map<string, LossReason>(reconciled?.missing.map((sha256) => [sha256, "missing"]));
    const onDamaged = (upload: Omit<StoredFile, "size">) => this.#lose(upload, "damaged");
    this.#verifier = createVerifier({ blobs, held: this.#held, log, onDamaged });
    void this.#checkAll(reconciled?.takenBack ?? []).catch((error: unknown) =>
      log.error({ err: error }, "uploads cannot be read"),
    );
  }

  /** Prevents the removal of contents until the hold is `named` or released. */
  hold(sha256s: readonly string[]): Promise<Hold> {
    return this.#held.hold(sha256s);
  }

  /**
   * Reports that rows refer to the held contents, which are present and undamaged.
   * @throws StoreProblem when one was removed meanwhile, because its hold was lost with the database
   */
  async named({ sha256s, release }: Hold): Promise<void> {
    for (const sha256 of sha256s) this.#lost.delete(sha256);
    const wereHeld = await release();
    for (const sha256 of sha256s) await this.#deps.blobs.settle(sha256);
    if (!wereHeld) await this.#requirePresent(sha256s);
  }

  /** Removes the contents that no upload refers to or is about to. */
  async removeUnnamed(sha256s: readonly string[]): Promise<void> {
    const { database, blobs } = this.#deps;
    for (const sha256 of new Set(sha256s))
      await this.#held.runIfFree(sha256, async () => {
        if (!(await isReferenced(database.db, sha256))) await blobs.remove(sha256);
      });
  }

  /** Deletes contents that were set aside and that no upload refers to. Returns their number. */
  removeOrphans(): Promise<number> {
    const { database, blobs } = this.#deps;
    return blobs.removeSetAside((sha256) => isReferenced(database.db, sha256));
  }

  /** @throws HttpError 404 `content_lost` when the content is missing or damaged */
  async open(upload: StoredFile): Promise<OpenBlob> {
    const { blobs, bus } = this.#deps;
    const content = await blobs.open(upload.sha256);
    if (!content) {
      this.#verifier.forget(upload.sha256);
      this.#lose(upload, "missing");
      throw this.#lossError(upload, message("upload.notThere"));
    }
    this.#verifier.check(upload);
    if (content.size !== upload.size) {
      await content[Symbol.asyncDispose]();
      this.#lose(upload, "damaged");
      throw this.#lossError(upload, message("upload.damaged"));
    }
    if (this.#lost.delete(upload.sha256)) {
      const { id, file_name } = upload;
      bus.publish({ type: "upload.recovered", source, subject: String(id), data: { id, file_name } });
    }
    return content;
  }

  /** Returns why this content is lost, as found by the start, a check, or a reader. */
  lossOf(sha256: string): LossReason | undefined {
    return this.#lost.get(sha256);
  }

  lostOnes(): string[] {
    return [...this.#lost.keys()];
  }

  async state(): Promise<UploadContentsState> {
    const { blobs } = this.#deps;
    return {
      folder: blobs.place,
      lost: await this.#countOf([...this.#lost.keys()]),
      orphans: await blobs.orphans(),
      ...(this.#progress && { check: this.#progress }),
    };
  }

  /**
   * Makes rows and files agree again while the server runs, and verifies restored contents.
   * @throws HttpError 409 while another check runs, or the reason of the signal
   */
  async check(signal: AbortSignal): Promise<UploadCheck> {
    const { database, blobs, log, bus } = this.#deps;
    if (this.#progress) throw refuse("upload.checking");
    this.#progress = { done: 0, total: 0 };
    try {
      const found = await reconcileUploads(database.db, blobs, this.#held, (sha256) => {
        this.#lost.set(sha256, this.#lost.get(sha256) ?? "missing");
      });
      reportReconciled(found, blobs.place, log);
      const whole = await this.#verifyReturned(found, signal);
      signal.throwIfAborted();
      const checked = {
        recovered: await this.#countOf(whole),
        lost: await this.#countOf([...this.#lost.keys()]),
        set_aside: found.setAside,
      };
      bus.publish({ type: "uploads.checked", source, data: checked });
      return checked;
    } finally {
      this.#progress = undefined;
    }
  }

  /** Verifies contents that were taken back: damage may be the reason why they were set aside. */
  async #checkAll(sha256s: readonly string[]): Promise<void> {
    if (sha256s.length === 0) return;
    const uploads = this.#deps.database.db
      .selectFrom("uploads")
      .select(["id", "file_name", "sha256"])
      .where(namesOneOf(sha256s));
    for (const upload of await uploads.execute()) this.#verifier.check(upload);
  }

  #lose({ id, file_name, sha256 }: Omit<StoredFile, "size">, reason: LossReason): void {
    const before = this.#lost.get(sha256);
    this.#lost.set(sha256, reason);
    if (before === undefined)
      this.#deps.bus.publish({ type: "upload.lost", source, subject: String(id), data: { id, file_name, reason } });
  }

  #lossError({ id }: StoredFile, how: Message) {
    return refuse(this.#deps.blobs.isRemote ? "upload.lostRemote" : "upload.lost", { id, how });
  }

  async #requirePresent(sha256s: readonly string[]): Promise<void> {
    for (const sha256 of sha256s) {
      if (await isThere(this.#deps.blobs, sha256)) continue;
      this.#lost.set(sha256, "missing");
      throw new StoreProblem("database_unreachable", undefined, "store.raced");
    }
  }

  async #countOf(sha256s: readonly string[]): Promise<number> {
    if (sha256s.length === 0) return 0;
    const counted = this.#deps.database.db.selectFrom("uploads").select((e) => e.fn.countAll<number>().as("count"));
    return (await counted.where(namesOneOf(sha256s)).executeTakeFirstOrThrow()).count;
  }

  /** Reads the lost contents that are present again. Returns the undamaged ones. */
  async #verifyReturned({ missing, takenBack }: Reconciled, signal: AbortSignal): Promise<string[]> {
    const gone = new Set(missing);
    const returned = [...new Set([...this.#lost.keys(), ...takenBack])].filter((sha256) => !gone.has(sha256));
    const whole: string[] = [];
    let done = 0;
    for (const sha256 of returned) {
      this.#progress = { done: done++, total: returned.length };
      signal.throwIfAborted();
      const condition = await this.#verifier.verify(sha256, signal);
      if (condition === "damaged") this.#lost.set(sha256, condition);
      else this.#lost.delete(sha256); // also when its upload is gone
      if (condition === "whole") whole.push(sha256);
    }
    return whole;
  }
}

const source = "/app/uploads";
