/** Reads the QR code in a picture. */
import { unlessGone } from "../../../ui/lazy-part.ts";

/** Bounds the time and memory of a large photo. */
const longestSide = 1_600;

/** Undefined where the picture has no code that can be read. */
export async function readCode(file: File): Promise<string | undefined> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.ceil(bitmap.width * scale), Math.ceil(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The browser gives no canvas.");
  // A code with a transparent ground is read on white.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const picture = context.getImageData(0, 0, canvas.width, canvas.height);
  const { default: decodeQR } = await unlessGone(() => import("qr/decode.js"));
  try {
    return decodeQR(picture);
  } catch {
    return undefined;
  }
}
