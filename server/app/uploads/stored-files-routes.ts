import parseRange from "range-parser";
import {
  getUpload,
  getUploadContent,
  getUploadThumbnail,
  listUploadEntries,
  listUploads,
  type Upload,
} from "../../contract/app/uploads.ts";
import { attachAs } from "../../http/conventions/attachment.ts";
import { isUnchanged } from "../../http/conventions/conditional.ts";
import { refuse } from "../../http/http-error.ts";
import { pageHeaders } from "../../http/conventions/paging.ts";
import { route, sessionOf, type CallContext, type Reply, type Route } from "../../http/route.ts";
import { leftOf } from "../../http/connection/bodies/left-of.ts";
import { sendStream } from "../../http/connection/bodies/send-stream.ts";
import type { Uploads } from "./uploads-service.ts";

/** The operations on a user's own uploads. */
export function storedFilesRoutes(uploads: Uploads): Route[] {
  /** @throws HttpError 404, or 403 for another user's */
  async function own(id: number, context: CallContext): Promise<Upload> {
    const upload = await uploads.find(id);
    if (!upload) throw refuse("upload.none", { id });
    if (upload.ownerId !== sessionOf(context).userId) throw refuse("upload.notOwner", { id });
    return upload;
  }

  return [
    route(listUploads, async ({ query }, context) => {
      const { uploads: found, total } = await uploads.list({
        limit: query.page_size,
        offset: (query.page - 1) * query.page_size,
        ownerId: sessionOf(context).userId,
      });
      return { data: found, headers: pageHeaders(context.req, query, total) };
    }),

    route(getUpload, async ({ params }, context) => ({ data: await own(params.id, context) })),

    route(getUploadContent, async ({ params }, context) => {
      const upload = await own(params.id, context);
      const headers = { ETag: etagOf(upload) };
      if (isUnchanged(context.req, headers.ETag)) return { status: 304, headers };
      await sendContent(context, upload, uploads);
      return { sent: true };
    }),

    route(getUploadThumbnail, async ({ params }, context) =>
      sendThumbnail(context, await own(params.id, context), uploads),
    ),

    route(listUploadEntries, async ({ params }, context) => ({
      data: await entriesOf(await own(params.id, context), uploads, context),
    })),
  ];
}

const etagOf = ({ sha256 }: Upload) => `"${sha256}"`;

export async function sendThumbnail(
  { req, res }: CallContext,
  upload: Upload,
  uploads: Uploads,
): Promise<Reply<never>> {
  // A reset gives ids away again: only the content tells pictures apart.
  const headers = { ETag: `"${upload.sha256}-thumbnail"`, "Cache-Control": "private, no-cache" };
  if (isUnchanged(req, headers.ETag)) return { status: 304, headers };
  const picture = await uploads.thumbnail(upload, leftOf(res));
  res.setHeader("X-Content-Type-Options", "nosniff");
  res.setHeaders(new Map(Object.entries(headers)));
  res.setHeader("Content-Type", "image/webp");
  res.setHeader("Content-Length", picture.length);
  res.end(picture);
  return { sent: true };
}

/** @throws HttpError 404 when it is no archive */
export async function entriesOf(upload: Upload, uploads: Uploads, { res }: CallContext) {
  if (upload.media_type !== "application/zip") throw refuse("upload.noZip", { id: upload.id });
  await using content = await uploads.content(upload);
  const { archiveEntries } = await import("./archive-entries.ts");
  return await archiveEntries(upload.size, (range) => content.read(range), leftOf(res));
}

/** Shortens a range of the last bytes to the size of the file: the parser refuses a longer one. */
const withinSize = (header: string, size: number) =>
  header.toLowerCase().replace(/^bytes=-(\d+)$/, (_, last) => `bytes=-${String(Math.min(Number(last), size))}`);

/**
 * Sends the file as an attachment, so that no browser runs it; on request one range of it (RFC 9110, section 14). With
 * links, the store itself does that.
 */
async function sendContent({ req, res }: CallContext, upload: Upload, uploads: Uploads): Promise<void> {
  await using content = await uploads.content(upload);
  attachAs(res, upload.file_name);
  const contentType = "application/octet-stream";
  if (content.link && req.method === "GET") {
    const contentDisposition = String(res.getHeader("Content-Disposition"));
    res.setHeader("Location", await content.link({ contentType, contentDisposition }));
    res.statusCode = 307;
    res.removeHeader("Content-Disposition");
    res.end();
    return;
  }
  res.setHeader("Content-Type", contentType);
  res.setHeader("X-Content-Type-Options", "nosniff");
  res.setHeader("Accept-Ranges", "bytes");
  const tag = etagOf(upload);
  res.setHeader("ETag", tag);
  const { range: header, "if-range": ifRange = tag } = req.headers;
  const isAsked = req.method === "GET" && header !== undefined && ifRange === tag;
  const asked = isAsked ? parseRange(upload.size, withinSize(header, upload.size)) : undefined;
  if (asked === -1) {
    res.setHeader("Content-Range", `bytes */${String(upload.size)}`);
    throw refuse("upload.range", { bytes: upload.size });
  }
  const [range] = Array.isArray(asked) && asked.type === "bytes" && asked.length === 1 ? asked : [];
  res.statusCode = range ? 206 : 200;
  if (range) res.setHeader("Content-Range", `bytes ${String(range.start)}-${String(range.end)}/${String(upload.size)}`);
  const length = range ? range.end - range.start + 1 : upload.size;
  res.setHeader("Content-Length", length);
  if (req.method === "HEAD") res.end();
  else await sendStream(res, () => content.read(range), length);
}
