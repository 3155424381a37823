/** Checks a file before it is sent. */
import { trimEndOf } from "../../../../server/contract/trim-end-of.ts";

/** Why the file is unusable: another format, an unsupported version, or one of several parts. */
export type GgufProblem = "unreadable" | "notGguf" | "version" | "part";

const partName = /-\d{5}-of-(\d{5})\.gguf$/i;

/** Undefined for a usable file. Only its first bytes are read. */
export async function ggufProblem(file: File): Promise<GgufProblem | undefined> {
  const start = await file
    .slice(0, 8)
    .arrayBuffer()
    .catch(() => undefined);
  if (!start) return "unreadable";
  const magic = new TextDecoder("latin1").decode(start.slice(0, 4));
  if (magic !== "GGUF" || start.byteLength < 8) return "notGguf";
  const version = new DataView(start).getUint32(4, true);
  if (version !== 2 && version !== 3) return "version";
  return Number(partName.exec(file.name)?.[1] ?? 1) > 1 ? "part" : undefined;
}

/** A model name from the file's name without its ending, with "-" for invalid characters. */
export const modelNameOf = (fileName: string): string =>
  trimEndOf(fileName.replace(/\.gguf$/i, "").replace(/[^\w.-]+/g, "-"), ".-")
    .replace(/^[.-]+/, "")
    .slice(0, 80);
