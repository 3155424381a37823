import type { Upload } from "../../contract/app/uploads.ts";
import { getStoredUploadContent, listStoredUploads } from "../../contract/console/data/upload-endpoints.ts";
import {
  checkUploads,
  getStoredUploadThumbnail,
  getUploadContents,
  listStoredUploadEntries,
} from "../../contract/console/data/stored-uploads.ts";
import { leftOf } from "../../http/connection/bodies/left-of.ts";
import { sendStream } from "../../http/connection/bodies/send-stream.ts";
import { attachAs } from "../../http/conventions/attachment.ts";
import { showInert } from "../../http/conventions/show-inert.ts";
import { refuse } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import { entriesOf, sendThumbnail } from "./stored-files-routes.ts";
import type { UploadContents } from "./upload-contents.ts";
import type { Uploads } from "./uploads-service.ts";

/** Media types that a browser may show in place; all others are downloaded. */
const displayable = new Set(["image/png", "image/apng", "image/jpeg", "image/gif", "image/webp"]);

/** The console's operations on the files of all users and on lost contents. */
export function uploadsConsoleRoutes(uploads: Uploads, contents: UploadContents): Route[] {
  /** @throws HttpError 404 */
  async function stored(id: number): Promise<Upload> {
    const upload = await uploads.find(id);
    if (!upload) throw refuse("upload.none", { id });
    return upload;
  }
  return [
    route(listStoredUploads, async ({ query }) => ({ data: await uploads.list(query) })),
    route(getStoredUploadContent, async ({ params: { id } }, { req, res }) => {
      const upload = await stored(id);
      await using content = await uploads.content(upload);
      const isDisplayed = displayable.has(upload.media_type);
      showInert(res);
      if (!isDisplayed) attachAs(res, upload.file_name);
      res.setHeader("Content-Type", isDisplayed ? upload.media_type : "application/octet-stream");
      res.setHeader("Content-Length", upload.size);
      if (req.method === "HEAD") res.end();
      else await sendStream(res, () => content.read(), upload.size);
      return { sent: true };
    }),
    route(getStoredUploadThumbnail, async ({ params }, context) =>
      sendThumbnail(context, await stored(params.id), uploads),
    ),
    route(listStoredUploadEntries, async ({ params }, context) => ({
      data: await entriesOf(await stored(params.id), uploads, context),
    })),
    route(getUploadContents, async () => ({ data: await contents.state() })),
    route(checkUploads, async (_input, { res }) => ({ data: await contents.check(leftOf(res)) })),
  ];
}
