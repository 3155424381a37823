import { createAvatar, createUpload } from "../../contract/app/uploads.ts";
import type { EventBus } from "../../events/event-bus.ts";
import { toHttpError } from "../../http/conventions/error-handler.ts";
import { route, sessionOf, type Reply, type Route } from "../../http/route.ts";
import { receiveMultipart } from "./receive-multipart.ts";
import type { Uploads } from "./uploads-service.ts";

interface Deps {
  readonly uploads: Uploads;
  readonly bus: EventBus;
  readonly maxBytes: number;
}

/** The two upload operations (spec: Avatar upload; Component upload). */
export function uploadsRoutes({ uploads, bus, maxBytes }: Deps): Route[] {
  /** A failed upload answers {success: false, err_msg} (spec: More error rules 2), with the status of the refusal. */
  async function orFailure(store: (onFileName: (name: string) => void) => Promise<Reply>): Promise<Reply> {
    let fileName = "";
    try {
      return await store((name) => (fileName = name));
    } catch (error) {
      const refusal = toHttpError(error);
      if (refusal.status >= 500 && refusal.code !== "disk_full") throw error;
      bus.publish({
        type: "upload.rejected",
        source: "/app/uploads",
        data: { file_name: fileName, reason: refusal.message },
      });
      return { status: refusal.status, headers: refusal.headers, flat: { success: false, err_msg: refusal.message } };
    }
  }

  return [
    route(createUpload, (_input, context) =>
      orFailure(async (onFileName) => {
        const { file, fields } = await receiveMultipart(context.req, context.res, uploads, {
          kind: "upload",
          part: "[]",
          maxBytes,
          onFileName,
        });
        const { upload } = await uploads.record(file, sessionOf(context).userId, fields["type"] ?? "");
        return { flat: { success: true, id: upload.id }, headers: { Location: `/api/uploads/${String(upload.id)}` } };
      }),
    ),

    route(createAvatar, (_input, context) =>
      orFailure(async (onFileName) => {
        const { file } = await receiveMultipart(context.req, context.res, uploads, {
          kind: "avatar",
          part: "Avatar",
          maxBytes,
          onFileName,
        });
        const { publicId } = await uploads.record(file, sessionOf(context).userId, "avatar");
        return { headers: { Location: `/avatars/${publicId ?? ""}` } };
      }),
    ),
  ];
}
