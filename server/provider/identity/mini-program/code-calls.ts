/** Mini-program codes: `wxacode.get`, `getUnlimited` and `createQRCode`. */
import type { ServerResponse } from "node:http";
import { z } from "zod";
import { envVersion } from "../../../contract/provider/sim-mini-program.ts";
import { jsonBody, type PlatformCall } from "../call-input.ts";
import { ProviderError } from "../provider-error.ts";
import { drawCode, type CodeLook } from "./code-image.ts";
import { splitPath, writeLaunchLink } from "./launch-links.ts";

const channel = z.coerce.number().int().min(0).max(255).catch(0);
const look = {
  // Like the platform, which draws the nearest size.
  width: z
    .number()
    .transform((width) => Math.round(Math.min(1_280, Math.max(280, width))))
    .default(430),
  auto_color: z.boolean().default(false),
  line_color: z.object({ r: channel, g: channel, b: channel }).default({ r: 0, g: 0, b: 0 }),
  is_hyaline: z.boolean().default(false),
};
const version = envVersion.default("release");
export const codeBody = z.looseObject({ path: z.string().default(""), env_version: version, ...look });
export const sceneBody = z.looseObject({
  scene: z.string().default(""),
  page: z.string().default(""),
  check_path: z.boolean().default(true),
  env_version: version,
  ...look,
});
export const qrBody = z.looseObject({ path: z.string().default(""), width: look.width });

const sceneCharacters = /^[\w!#$&'()*+,/:;=?@.~-]{1,32}$/;

function sendCode(res: ServerResponse, text: string, codeLook: CodeLook): void {
  const image = drawCode(text, codeLook);
  res.writeHead(200, { "Content-Type": "image/png", "Content-Length": image.length });
  res.end(image);
}

function lookOf(body: z.output<typeof codeBody> | z.output<typeof sceneBody>): CodeLook {
  const { r, g, b } = body.line_color;
  return { width: body.width, color: body.auto_color ? [0, 0, 0] : [r, g, b], transparent: body.is_hyaline };
}

export const codeCalls = {
  getwxacode: async (req, res) => {
    const body = await jsonBody(req, codeBody);
    if (body.path === "" || body.path.length > 1_024) throw new ProviderError(40159);
    sendCode(res, writeLaunchLink("code", { ...splitPath(body.path), env_version: body.env_version }), lookOf(body));
  },

  getwxacodeunlimit: async (req, res) => {
    const body = await jsonBody(req, sceneBody);
    if (body.scene === "" || body.scene.length > 32) throw new ProviderError(40169);
    if (!sceneCharacters.test(body.scene)) throw new ProviderError(40129);
    if (body.page.startsWith("/") || body.page.includes("?")) throw new ProviderError(41030);
    const query = String(new URLSearchParams({ scene: encodeURIComponent(body.scene) }));
    sendCode(res, writeLaunchLink("code", { path: body.page, query, env_version: body.env_version }), lookOf(body));
  },

  createwxaqrcode: async (req, res) => {
    const { path, width } = await jsonBody(req, qrBody);
    if (path === "" || Buffer.byteLength(path) > 128) throw new ProviderError(40159);
    const text = writeLaunchLink("qrcode", { ...splitPath(path), env_version: "release" });
    sendCode(res, text, { width, color: [0, 0, 0], transparent: false });
  },
} satisfies Readonly<Record<string, PlatformCall>>;
