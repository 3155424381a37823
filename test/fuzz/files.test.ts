/** Files that strangers made: models and what belongs to them, archives, and the names of files. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { ServerResponse, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { afterAll, describe, expect } from "vitest";
import { archiveEntries } from "../../server/app/uploads/archive-entries.ts";
import { acceptedExtension, checkedMediaType } from "../../server/app/uploads/file-types.ts";
import { HttpError } from "../../server/http/http-error.ts";
import { attachAs } from "../../server/http/conventions/attachment.ts";
import { detailsOf, modelInfoOf } from "../../server/model/models/library/gguf/gguf-details.ts";
import { readGgufHeader } from "../../server/model/models/library/gguf/gguf-header.ts";
import { estimateSize } from "../../server/model/models/library/estimate-size.ts";
import {
  layersOf,
  modelConfigSchema,
  parseManifest,
  manifestSize,
} from "../../server/model/models/library/manifest.ts";
import { fullName, nameOfFile, parseModelName } from "../../server/model/models/library/model-name.ts";
import { parseModelfile } from "../../server/model/models/create/parse-modelfile.ts";
import { pathsInIndex } from "../../server/process/settings/git-index.ts";
import { pngBytes, zipBytes } from "../support/files.ts";
import { familyTemplates } from "../support/model/family-templates.ts";
import { randomGgufBytes } from "../support/model/random-gguf.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fuzz, refusesBy } from "./families.ts";
import { changed, changedBytes, changedJson } from "./inputs/changes.ts";
import { anyText } from "./inputs/texts.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const isRefusal = (error: unknown) => error instanceof HttpError && error.status === 400;

describe("files of models:", () => {
  const file = join(folder.path, "m.gguf");
  const small = { width: 16, heads: 2, kvHeads: 1, feedForward: 32, layers: 1, vocabulary: 400 };
  const ggufs = [
    randomGgufBytes(small),
    randomGgufBytes({ ...small, type: "q4_0", width: 32, chatTemplate: familyTemplates.qwen3 }),
  ];
  /** What is changed lies in the header mostly: the weights are looked at by nobody. */
  const headerBytes = 12_000;
  const gguf = fc.constantFrom(...ggufs).chain((whole) =>
    changedBytes(fc.constant(whole.subarray(0, headerBytes)), {
      words: ["GGUF", "\x09\0\0\0", "\x08\0\0\0", "\x04\0\0\0", "\xff\xff\xff\xff\xff\xff\xff\xff", "\0\0\0\0\0\0\0\0"],
      brackets: [["\x09\0\0\0\x01\0\0\0\0\0\0\0", ""]],
    }).map((head) => Buffer.concat([head, whole.subarray(headerBytes)])),
  );

  fuzz("GGUF headers", {
    inputs: gguf,
    async read(bytes) {
      writeFileSync(file, bytes);
      const header = await readGgufHeader(file);
      JSON.stringify([detailsOf(header), modelInfoOf(header)]);
    },
    refuses: (error) =>
      refusesBy("GgufError", "TruncatedError")(error) ||
      (error instanceof RangeError && error.message.startsWith("the header is longer than ")),
  });

  const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
  const layer = { mediaType: "application/vnd.ollama.image.model", digest, size: 3, from: "tiny" };
  const manifest = changedJson(
    fc.constant({ schemaVersion: 2, mediaType: "x", config: layer, layers: [layer, { ...layer, size: 5 }] }),
    ["schemaVersion", "mediaType", "config", "layers", "digest", "size", "from", "name", "model_families"],
  ).map((value) => JSON.stringify(value));

  fuzz("manifests", {
    inputs: changedBytes(changed(manifest).map((text) => Buffer.from(text))),
    read(bytes) {
      const read = parseManifest(bytes);
      expect(manifestSize(read)).toBeGreaterThanOrEqual(0);
      for (const one of layersOf(read)) expect(one.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
      modelConfigSchema.safeParse(JSON.parse(bytes.toString("utf8")));
    },
    refuses: refusesBy("ManifestError"),
  });

  fuzz("names of models", {
    inputs: changed(
      fc.constantFrom("llama3.2:1b", "registry.ollama.ai/library/qwen3:8b-q4_K_M", "http://localhost:5000/a/b:c", "x"),
      { words: ["/", ":", "//", "..", "-", "b", "%2f", "8x7b", "\\"] },
    ),
    read(text) {
      const name = parseModelName(text);
      if (name !== undefined) expect(parseModelName(fullName(name))).toEqual(name);
      expect(parseModelName(fullName(nameOfFile(text)))).toEqual(nameOfFile(text));
      estimateSize(text);
    },
  });

  const modelfile = [
    "FROM llama3.2:1b",
    "# more",
    "PARAMETER temperature 0.5",
    'PARAMETER stop "<|end|>"',
    "PARAMETER num_ctx 4096",
    'TEMPLATE """{{ .System }}',
    '{{ .Prompt }}"""',
    "SYSTEM You are terse.",
    "MESSAGE user Hello",
    'LICENSE """free"""',
    "",
  ].join("\n");

  fuzz("Modelfiles", {
    inputs: changed(fc.constant(modelfile), {
      words: [
        "FROM ",
        "PARAMETER ",
        "MESSAGE user ",
        '"""',
        '"',
        "\n",
        "\r\n",
        "#",
        " ",
        "\ufeff",
        "stop a\n",
        "\u2028",
      ],
    }),
    read: parseModelfile,
    refuses: refusesBy("ModelfileError"),
  });
});

describe("files that are sent:", () => {
  fuzz("zip archives", {
    inputs: changedBytes(
      fc
        .constantFrom(zipBytes({ "a.txt": "a" }), zipBytes({ a: "b", "c/d.txt": "d" }))
        .map((bytes) => Buffer.from(bytes)),
      { words: ["PK\x01\x02", "PK\x05\x06", "PK\x06\x06", "PK\x06\x07", "\xff\xff\xff\xff", "\0\0\0\0"] },
    ),
    async read(bytes) {
      const read = ({ start, end }: { start: number; end: number }) =>
        Readable.from([bytes.subarray(start, end + 1)], { objectMode: false });
      const { entries } = await archiveEntries(bytes.length, read, new AbortController().signal);
      JSON.stringify(entries);
    },
    refuses: isRefusal,
  });

  fuzz("kinds of files", {
    inputs: changedBytes(
      fc.constantFrom(
        ...[pngBytes(2, 2), zipBytes({ "a.txt": "a" })].map((bytes) => Buffer.from(bytes)),
        ...[
          "GIF89a",
          "RIFF\x24\0\0\0WEBPVP8 ",
          "\xff\xd8\xff\xe0\0\x10JFIF",
          "7z\xbc\xaf\x27\x1c",
          "%PDF-1.5\n",
          "8BPS\0\x01",
        ].map((head) => Buffer.from(`${head}${"\0".repeat(60)}`, "latin1")),
      ),
      { words: ["ID3", "ftyp", "moov", "[Content_Types].xml", "mimetype", "\x1a\x45\xdf\xa3", "II*\0", "MM\0*"] },
    ),
    read: (head) => checkedMediaType(head, "png", "a.png"),
    refuses: isRefusal,
  });

  fuzz("names of files", {
    inputs: changed(
      fc.oneof(anyText, fc.constantFrom("a.png", "图.jpeg", "report (1).zip", "../../a.PNG", "a.tar.gz")),
      {
        words: [".", "/", "\\", '"', ";", "=", "%", "''", "\u202e", ".png", "\ud800"],
      },
    ),
    read(text) {
      const name = text.toWellFormed(); // it comes as UTF-8
      const response = new ServerResponse({ method: "GET" } as IncomingMessage);
      attachAs(response, name);
      acceptedExtension(name, "upload");
    },
    refuses: isRefusal,
  });
});

describe("repositories that came with a clone:", () => {
  const formats = [
    ["sha1", 20],
    ["sha256", 32],
  ] as const;
  const paths = ["a/b", "data/keys.json", "data/\xff", "z"];
  const number = (value: number, bytes: 2 | 4) => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeUIntBE(value, 0, bytes);
    return buffer;
  };

  /** An index without its checksum. */
  function indexOf(version: number, hashBytes: number): Buffer {
    const entries = paths.map((path, at) => {
      const extended = version > 2 && at === 1;
      const flags = [number(path.length | (extended ? 0x4000 : 0), 2), ...(extended ? [number(0x2000, 2)] : [])];
      const fixed = [Buffer.alloc(24), number(0o100644, 4), Buffer.alloc(12), Buffer.alloc(hashBytes, 1), ...flags];
      const stripped = version === 4 ? [Buffer.from([paths[at - 1]?.length ?? 0])] : [];
      const entry = Buffer.concat([...fixed, ...stripped, Buffer.from(`${path}\0`, "latin1")]);
      return version === 4 ? entry : Buffer.concat([entry, Buffer.alloc((8 - (entry.length % 8)) % 8)]);
    });
    const tree = Buffer.concat([Buffer.from("TREE"), number(4, 4), Buffer.from("\x000 0")]);
    return Buffer.concat([Buffer.from("DIRC"), number(version, 4), number(paths.length, 4), ...entries, tree]);
  }

  const index = fc.constantFrom(2, 3, 4).chain((version) =>
    fc.constantFrom(...formats).chain(([algorithm, hashBytes]) => {
      const plain = indexOf(version, hashBytes);
      const checked = (bytes: Buffer) => Buffer.concat([bytes, createHash(algorithm).update(bytes).digest()]);
      const words = [
        "DIRC",
        "TREE",
        "link",
        "sdir",
        "\0\0\0\0",
        "\xff\xff\xff\xff",
        "\x80\x80\x80",
        "\x81\xa4",
        "\x40\0",
      ];
      return fc.oneof(
        // Damaged: with the checksum of what it was.
        changedBytes(fc.constant(checked(plain)), { words }).map((bytes) => ({ bytes, whole: checked(plain) })),
        // Forged: with a checksum that belongs to it, or none.
        changedBytes(fc.constant(plain), { words }).map((bytes) => ({ bytes: checked(bytes), whole: undefined })),
        changedBytes(fc.constant(plain), { words }).map((bytes) => ({
          bytes: Buffer.concat([bytes, Buffer.alloc(hashBytes)]),
          whole: undefined,
        })),
      );
    }),
  );

  fuzz("indexes of git", {
    inputs: index,
    read({ bytes, whole }) {
      if (whole?.equals(bytes) === true) expect(() => [...pathsInIndex(bytes)]).not.toThrow();
      const found = [...pathsInIndex(bytes)];
      for (const path of found) expect(path.length).toBeGreaterThan(0);
      // Whoever has forged a whole one can also say that git keeps nothing; damage cannot.
      if (whole !== undefined && !bytes.subarray(-20).every((byte) => byte === 0)) {
        expect(bytes).toEqual(whole);
        expect(found).toEqual(paths.map((path) => path.replace("\xff", "\ufffd")));
      }
    },
    refuses: refusesBy("GitIndexError"),
  });
});
