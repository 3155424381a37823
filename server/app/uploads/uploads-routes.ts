import type { Logger } from "pino";
import { createAvatar, createUpload } from "../../contract/app/uploads.ts";
import type { EventBus } from "../../events/event-bus.ts";
import { toHttpError } from "../../http/conventions/error-handler.ts";
import { inLanguageOf } from "../../http/messages/in-language.ts";
import { pathOf } from "../../http/middleware.ts";
import { notesOf } from "../../http/recording/exchange-notes.ts";
import { route, sessionOf, type CallContext, type Reply, type Route } from "../../http/route.ts";
import { receiveMultipart, UploadFailed, type MultipartForm } from "./receive-multipart.ts";
import type { Uploads } from "./uploads-service.ts";

interface Deps {
  readonly uploads: Uploads;
  readonly bus: EventBus;
  readonly maxBytes: number;
  readonly log: Logger;
}

/** The two upload operations (spec: Avatar upload; Component upload). */
export function uploadsRoutes({ uploads, bus, maxBytes, log }: Deps): Route[] {
  /** A failed upload answers {success: false, err_msg} (spec: More error rules 2), with the status of the refusal. */
  function answerFailure(error: unknown, { req, res }: CallContext): Reply<never> {
    const { fileName, cause } = error instanceof UploadFailed ? error : { fileName: "", cause: error };
    const refusal = toHttpError(cause);
    if (refusal.status >= 500) {
      if (res.destroyed) throw cause; // nobody is left to be answered
      notesOf(res).refusal = refusal;
      log.error({ err: refusal.cause ?? refusal, path: pathOf(req) }, refusal.message);
    }
    bus.publish({
      type: "upload.rejected",
      source: "/app/uploads",
      data: { file_name: fileName, reason: refusal.message },
    });
    const err_msg = inLanguageOf(req, res)(refusal.message);
    return { status: refusal.status, headers: refusal.headers, flat: { success: false, err_msg } };
  }

  async function refuseNames({ file, fields }: MultipartForm, checkNames: CallContext["checkNames"]): Promise<void> {
    try {
      checkNames?.(fields);
    } catch (error) {
      await uploads.discard(file);
      throw error;
    }
  }

  async function receive(
    { req, res, checkNames }: CallContext,
    rules: { kind: "upload" | "avatar"; part: string },
    record: (form: MultipartForm) => Promise<Reply<never>>,
  ): Promise<Reply<never>> {
    const form = await receiveMultipart(req, res, uploads, { ...rules, maxBytes });
    try {
      await refuseNames(form, checkNames);
      return await record(form);
    } catch (error) {
      throw new UploadFailed(form.file.fileName, error);
    }
  }

  return [
    route(createUpload, (_input, context) =>
      receive(context, { kind: "upload", part: "[]" }, async ({ file, fields }) => {
        const { upload } = await uploads.record(file, sessionOf(context).userId, fields["type"] ?? "");
        return { flat: { success: true, id: upload.id }, headers: { Location: `/api/uploads/${String(upload.id)}` } };
      }).catch((error: unknown) => answerFailure(error, context)),
    ),

    route(createAvatar, (_input, context) =>
      receive(context, { kind: "avatar", part: "Avatar" }, async ({ file }) => {
        const { publicId } = await uploads.record(file, sessionOf(context).userId, "avatar");
        return { headers: { Location: `/avatars/${publicId ?? ""}` } };
      }).catch((error: unknown) => answerFailure(error, context)),
    ),
  ];
}
