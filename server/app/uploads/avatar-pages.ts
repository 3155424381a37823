import { pipeline } from "node:stream/promises";
import { Router } from "express";
import { notFound } from "../../http/http-error.ts";
import type { Uploads } from "./uploads-service.ts";

/** The page to which an avatar upload redirects, and its picture. Anybody who has the random address may look. */
export function avatarPages(uploads: Uploads): Router {
  const router = Router();

  async function find(publicId: string) {
    const avatar = await uploads.findAvatar(publicId);
    if (!avatar) throw notFound("There is no such avatar.");
    return avatar;
  }

  router.get("/avatars/:publicId", async (req, res) => {
    await find(req.params.publicId);
    res.setHeader("Content-Security-Policy", "default-src 'none'; img-src 'self'");
    res
      .type("html")
      .send(
        `<!doctype html><html lang="en"><meta charset="utf-8"><title>Avatar</title><h1>Avatar</h1><img alt="The uploaded avatar" src="/avatars/${req.params.publicId}/image">`,
      );
  });

  router.get("/avatars/:publicId/image", async (req, res) => {
    const avatar = await find(req.params.publicId);
    res.setHeader("X-Content-Type-Options", "nosniff");
    res.setHeader("Content-Type", avatar.media_type);
    res.setHeader("Content-Length", avatar.size);
    await pipeline(uploads.read(avatar), res);
  });

  return router;
}
