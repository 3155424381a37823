import { getAvatarImage, getAvatarPage } from "../../contract/app/uploads.ts";
import { refuse } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import { sendStream } from "../../http/connection/bodies/send-stream.ts";
import type { Uploads } from "./uploads-service.ts";

/** The page to which an avatar upload redirects, and its picture. The random address is all the access control. */
export function avatarPages(uploads: Uploads): Route[] {
  async function find(publicId: string) {
    const avatar = await uploads.findAvatar(publicId);
    if (!avatar) throw refuse("upload.noAvatar");
    return avatar;
  }

  return [
    route(getAvatarPage, async ({ params: { publicId } }, { res }) => {
      await find(publicId); // an id that is found is ours, so it is safe to write into the page
      res.setHeader("Content-Security-Policy", "default-src 'none'; img-src 'self'");
      res.setHeader("Content-Type", "text/html; charset=utf-8");
      const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Avatar</title><h1>Avatar</h1><img alt="The uploaded avatar" src="/avatars/${publicId}/image">`;
      res.setHeader("Content-Length", page.length).end(page);
      return { sent: true };
    }),

    route(getAvatarImage, async ({ params: { publicId } }, { req, res }) => {
      const avatar = await find(publicId);
      await using content = await uploads.content(avatar);
      res.setHeader("X-Content-Type-Options", "nosniff");
      res.setHeader("Content-Type", avatar.media_type);
      res.setHeader("Content-Length", avatar.size);
      if (req.method === "HEAD") res.end();
      else await sendStream(res, () => content.read(), avatar.size);
      return { sent: true };
    }),
  ];
}
