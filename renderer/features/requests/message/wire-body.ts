/** A recorded body as text or bytes, with its headers' statements. */
import type { RecordedBody, RecordedRequest } from "../../../../server/contract/console/traffic/requests.ts";

type Headers = RecordedRequest["request"]["headers"];

export const recordedHeader = (headers: Headers, name: string): string | undefined =>
  headers.find((header) => header.name.toLowerCase() === name)?.value;

export function recordedBytes({ text, base64 }: RecordedBody): Uint8Array<ArrayBuffer> {
  if (text !== undefined) return new TextEncoder().encode(text);
  const latin1 = atob(base64 ?? "");
  return Uint8Array.from(latin1, (character) => character.charCodeAt(0));
}

/** `image/png` of `image/png; q=1`. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  contentType?.split(";")[0]?.trim().toLowerCase() ?? "";

/** Types that every browser can show; scripts in an SVG do not run in an image. */
const pictures = new Set([
  ...["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/apng", "image/bmp"],
  "image/svg+xml",
]);
export const isPicture = (mediaType: string): boolean => pictures.has(mediaType);

export function pictureAddress(bytes: Uint8Array, mediaType: string): string {
  let latin1 = "";
  for (let at = 0; at < bytes.length; at += 8_192) latin1 += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return `data:${mediaType};base64,${btoa(latin1)}`;
}

/** The text, if it is one. */
export function decodedText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const bytesInLine = 8;
const mostDumped = 512;

/** The first bytes as hexadecimal numbers and characters. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(bytes.length, mostDumped); at += bytesInLine) {
    const line = [...bytes.subarray(at, at + bytesInLine)];
    const numbers = line.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const characters = line.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${numbers.padEnd(3 * bytesInLine - 1)}  ${characters}`);
  }
  return lines.join("\n");
}
