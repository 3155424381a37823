import type { ServerResponse } from "node:http";
import type { z } from "zod";
import { createAvatar, createUpload, type uploadResultSchema } from "../../contract/app/uploads.ts";
import type { EventBus } from "../../events/event-bus.ts";
import { toHttpError } from "../../http/conventions/error-handler.ts";
import type { RefusalForm } from "../../http/middleware.ts";
import { route, sessionOf, type CallContext, type Reply, type Route } from "../../http/route.ts";
import type { MultipartForm } from "./receive-multipart.ts";
import { UploadFailed } from "./upload-failed.ts";
import type { Uploads } from "./uploads-service.ts";

interface Deps {
  readonly uploads: Uploads;
  readonly bus: EventBus;
  readonly maxBytes: number;
}

type UploadReply = Reply<z.input<typeof uploadResultSchema>>;

/** The form of a failed upload (spec: More error rules 2). A 401 also has the members of every 401. */
const refuseUpload: RefusalForm = (usual, status) => ({
  success: false,
  err_msg: usual.Message,
  ...(status === 401 && usual),
});

/** The two upload operations (spec: Avatar upload; Component upload). */
export function uploadsRoutes({ uploads, bus, maxBytes }: Deps): Route[] {
  /** Publishes the failure of an upload, unless the client has left. @throws its cause */
  function reportFailure(error: unknown, res: ServerResponse): never {
    const { fileName, cause } = error instanceof UploadFailed ? error : { fileName: "", cause: error };
    const { status, message: reason } = toHttpError(cause);
    const hasLeft = status >= 500 && res.destroyed;
    if (!hasLeft)
      bus.publish({ type: "upload.rejected", source: "/app/uploads", data: { file_name: fileName, reason } });
    throw cause;
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
    record: (form: MultipartForm) => Promise<UploadReply>,
  ): Promise<UploadReply> {
    let fileName: string | undefined;
    try {
      const { receiveMultipart } = await import("./receive-multipart.ts");
      const form = await receiveMultipart(req, res, uploads, { ...rules, maxBytes });
      ({ fileName } = form.file);
      await refuseNames(form, checkNames);
      return await record(form);
    } catch (error) {
      return reportFailure(fileName === undefined ? error : new UploadFailed(fileName, error), res);
    }
  }

  return [
    route(
      createUpload,
      (_input, context) =>
        receive(context, { kind: "upload", part: "[]" }, async ({ file, fields }) => {
          const { upload } = await uploads.record(file, sessionOf(context).userId, fields["type"] ?? "");
          return { data: { success: true, id: upload.id }, headers: { Location: `/api/uploads/${String(upload.id)}` } };
        }),
      refuseUpload,
    ),

    route(
      createAvatar,
      (_input, context) =>
        receive(context, { kind: "avatar", part: "Avatar" }, async ({ file }) => {
          const { publicId } = await uploads.record(file, sessionOf(context).userId, "avatar");
          return { headers: { Location: `/avatars/${publicId ?? ""}` } };
        }),
      refuseUpload,
    ),
  ];
}
