import { createAvatar, createUpload } from "../../contract/app/uploads.ts";
import type { EventBus } from "../../events/event-bus.ts";
import { toHttpError } from "../../http/conventions/error-handler.ts";
import { inLanguageOf } from "../../http/messages/in-language.ts";
import { route, sessionOf, type CallContext, type Reply, type Route } from "../../http/route.ts";
import { receiveMultipart, UploadFailed, type MultipartForm } from "./receive-multipart.ts";
import type { Uploads } from "./uploads-service.ts";

/** The codes of refusals that are about the place of the uploads or their rows. */
const storageProblem = /^(disk_full|store_\w+|database_\w+)$/;

interface Deps {
  readonly uploads: Uploads;
  readonly bus: EventBus;
  readonly maxBytes: number;
}

/** The two upload operations (spec: Avatar upload; Component upload). */
export function uploadsRoutes({ uploads, bus, maxBytes }: Deps): Route[] {
  /** A failed upload answers {success: false, err_msg} (spec: More error rules 2), with the status of the refusal. */
  function answerFailure(error: unknown, { req, res }: CallContext): Reply<never> {
    if (!(error instanceof UploadFailed)) throw error;
    const refusal = toHttpError(error.cause);
    if (refusal.status >= 500 && !storageProblem.test(refusal.code)) throw error.cause;
    bus.publish({
      type: "upload.rejected",
      source: "/app/uploads",
      data: { file_name: error.fileName, reason: refusal.message },
    });
    const err_msg = inLanguageOf(req, res)(refusal.message);
    return { status: refusal.status, headers: refusal.headers, flat: { success: false, err_msg } };
  }

  async function receive(
    { req, res }: CallContext,
    rules: { kind: "upload" | "avatar"; part: string },
    record: (form: MultipartForm) => Promise<Reply<never>>,
  ): Promise<Reply<never>> {
    const form = await receiveMultipart(req, res, uploads, { ...rules, maxBytes });
    return record(form).catch((error: unknown) => {
      throw new UploadFailed(form.file.fileName, error);
    });
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
