/** The types of images by the first characters of their base64. */
const types = [
  ["iVBOR", "image/png"],
  ["R0lG", "image/gif"],
  ["UklGR", "image/webp"],
] as const;

/** The media type of an image, given as base64; JPEG where nothing tells. */
export const imageType = (data: string): string => types.find(([start]) => data.startsWith(start))?.[1] ?? "image/jpeg";
