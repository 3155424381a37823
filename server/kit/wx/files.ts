/** The files of a program on its device, in memory: temporary ones, and those below USER_DATA_PATH. */
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { wxFailures } from "../../contract/mini-program/wx-failures.ts";
import type { Phone } from "../phone/phone.ts";
import type {
  ChooseImageResult,
  ChooseMediaResult,
  ChooseOptions,
  FileCalls,
  ReadFileOptions,
  StoredResult,
  WriteFileOptions,
} from "./api/device.ts";
import { failed, wxCall } from "./answer.ts";

const scheme = "wxfile://";
const userData = `${scheme}usr`;

export class DeviceFiles {
  readonly #contents = new Map<string, Uint8Array>();
  #made = 0;

  /** Keeps a temporary file with this extension and returns its path. */
  keep(content: Uint8Array, extension = ""): string {
    const path = `${scheme}tmp_${String(++this.#made)}${extension}`;
    this.#contents.set(path, content);
    return path;
  }

  write(path: string, content: Uint8Array): void {
    this.#contents.set(path, content);
  }

  kept(api: string, path: string): Uint8Array {
    const content = this.#contents.get(path);
    if (!content) throw failed(api, wxFailures.noFile);
    return content;
  }

  /** A file of the device, or one of the machine that runs the test. */
  async read(api: string, path: string): Promise<Uint8Array> {
    if (path.startsWith(scheme)) return this.kept(api, path);
    return readFile(path).catch((error: unknown) => {
      throw failed(api, wxFailures.noFile, error);
    });
  }
}

const bytesOf = (data: string | ArrayBuffer) => (typeof data === "string" ? Buffer.from(data) : new Uint8Array(data));

function decoded(content: Uint8Array, encoding: string | undefined): string | ArrayBuffer {
  if (encoding === undefined) return new Uint8Array(content).buffer;
  return Buffer.from(content).toString(encoding === "base64" ? "base64" : "utf8");
}

const videos = new Set([".mp4", ".mov", ".m4v"]);

export function fileCalls(files: DeviceFiles, { prompts }: Phone): FileCalls {
  function chosen(api: string, count = 9) {
    const picked = prompts.picked.slice(0, count);
    if (picked.length === 0) throw failed(api, wxFailures.cancelled);
    return picked.map(({ name, content }) => {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      return {
        path: files.keep(bytes, extname(name)),
        size: bytes.length,
        isVideo: videos.has(extname(name).toLowerCase()),
      };
    });
  }
  const readFileCall = wxCall<ReadFileOptions, StoredResult<string | ArrayBuffer>>(
    "readFile",
    async ({ filePath, encoding }) => ({ data: decoded(await files.read("readFile", filePath), encoding) }),
  );
  const writeFileCall = wxCall<WriteFileOptions>("writeFile", ({ filePath, data }) => {
    files.write(filePath, bytesOf(data));
    return {};
  });

  return {
    env: { USER_DATA_PATH: userData },
    getFileSystemManager: () => ({
      readFile: (options) => void readFileCall(options),
      readFileSync: (filePath, encoding) => decoded(files.kept("readFileSync", filePath), encoding),
      writeFile: (options) => void writeFileCall(options),
      writeFileSync: (filePath, data) => files.write(filePath, bytesOf(data)),
    }),
    chooseMedia: wxCall<ChooseOptions<ChooseMediaResult>, ChooseMediaResult>("chooseMedia", ({ count }) => {
      const tempFiles = chosen("chooseMedia", count).map(({ path, size, isVideo }) => ({
        tempFilePath: path,
        size,
        fileType: isVideo ? ("video" as const) : ("image" as const),
        ...{ duration: 0, height: 0, width: 0, thumbTempFilePath: "" },
      }));
      const types = new Set(tempFiles.map(({ fileType }) => fileType));
      return { tempFiles, type: types.size > 1 ? "mix" : ([...types][0] ?? "image") };
    }),
    chooseImage: wxCall<ChooseOptions<ChooseImageResult>, ChooseImageResult>("chooseImage", ({ count }) => {
      const tempFiles = chosen("chooseImage", count).map(({ path, size }) => ({ path, size }));
      return { tempFilePaths: tempFiles.map(({ path }) => path), tempFiles };
    }),
  };
}
