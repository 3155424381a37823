/** The calls of version 3 that upload pictures and videos, and the one that returns a picture of a complaint. */
import { createHash, randomBytes } from "node:crypto";
import { extname } from "node:path";
import type { Kysely } from "kysely";
import { z } from "zod";
import { refusal } from "../ledger/refusals.ts";
import { paramError } from "../v3/refusal-v3.ts";
import { readAs, readBodyV3 } from "../v3/requests-v3.ts";
import type { RouteV3 } from "../v3/route-v3.ts";
import type { MediaTables } from "./media-tables.ts";

/** Files that are kept. */
const mostFiles = 200;
const megabyte = 1024 * 1024;
const pictures = { extensions: [".jpg", ".jpeg", ".bmp", ".png"], maxBytes: 2 * megabyte };
const videos = {
  extensions: [".avi", ".wmv", ".mpeg", ".mp4", ".mov", ".mkv", ".flv", ".f4v", ".m4v", ".rmvb"],
  maxBytes: 5 * megabyte,
};

export const uploadMeta = z.object({
  filename: z.string().min(1).max(128),
  sha256: z.string().regex(/^[0-9a-fA-F]{64}$/, "must be 64 hex digits"),
});
export const mediaNumber = z.object({ media_id: z.string().min(1).max(256) });

const ofComplaint = (extension: string) => randomBytes(16).toString("hex").toUpperCase() + extension;
const ofMerchant = () => randomBytes(87).toString("base64url");

export function mediaCalls(db: Kysely<MediaTables>): readonly RouteV3[] {
  async function store(row: { media_id: string; mch_id: string; name: string; content: string }): Promise<void> {
    const { id } = await db.insertInto("pay_media").values(row).returning("id").executeTakeFirstOrThrow();
    await db
      .deleteFrom("pay_media")
      .where("id", "<=", id - mostFiles)
      .execute();
  }

  const upload = (
    path: string,
    { extensions, maxBytes }: typeof pictures,
    newId: (extension: string) => string,
  ): RouteV3 => ({
    ...{ name: "mediaupload", method: "POST", path, maxFileBytes: maxBytes },
    prepare({ merchant: { mchId }, body, file }) {
      const { filename, sha256 } = readAs(uploadMeta, readBodyV3(body), "body");
      const extension = extname(filename).toLowerCase();
      if (!file) throw paramError("body", "/file", "", "is missing");
      if (!extensions.includes(extension))
        throw paramError("body", "/filename", filename, `must end in ${extensions.join(", ")}`);
      if (file.bytes.length > maxBytes)
        throw paramError("body", "/file", "", `at most ${String(maxBytes)} bytes are accepted`);
      const digest = createHash("sha256").update(file.bytes).digest("hex");
      if (digest !== sha256.toLowerCase()) throw paramError("body", "/sha256", sha256, "is not the digest of the file");
      return {
        async perform() {
          const media_id = newId(extension);
          await store({ media_id, mch_id: mchId, name: filename, content: file.bytes.toString("base64") });
          return { media_id };
        },
        view: (reply) => reply,
      };
    },
  });

  const download: RouteV3 = {
    ...{ name: "mediadownload", method: "GET", path: "/v3/merchant-service/images/{media_id}" },
    prepare({ merchant: { mchId }, params }) {
      const { media_id } = readAs(mediaNumber, params, "uri_template");
      return {
        async perform() {
          const files = db.selectFrom("pay_media").select("content").where("media_id", "=", media_id);
          const file = await files.where("mch_id", "=", mchId).executeTakeFirst();
          if (!file) throw refusal("RESOURCE_NOT_EXISTS", "图片不存在");
          return Buffer.from(file.content, "base64");
        },
        view: (bytes) => bytes,
      };
    },
  };

  return [
    upload("/v3/merchant-service/images/upload", pictures, ofComplaint),
    upload("/v3/merchant/media/upload", pictures, ofMerchant),
    upload("/v3/merchant/media/video_upload", videos, ofMerchant),
    download,
  ];
}
