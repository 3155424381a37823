/** Stores whose files do not hold what they should. */
import { mkdirSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLibrary } from "../../../server/model/models/library/library.ts";
import {
  encodeManifest,
  layerTypes,
  ManifestError,
  parseDigest,
  parseManifest,
} from "../../../server/model/models/library/manifest.ts";
import { parseModelName, shortName } from "../../../server/model/models/library/model-name.ts";
import { openStore } from "../../../server/model/models/library/store.ts";
import { layers } from "../../support/model/model-registry.ts";
import { recordedLog } from "../../support/quiet-log.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";
import { putBlob, putManifest, putModel } from "../../support/model/stored-model.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const gguf = randomGgufBytes({ name: "Stored" });
const library = "registry.ollama.ai/library";

let folder: ReturnType<typeof temporaryFolder>;
let ollama: string;
beforeEach(() => {
  folder = temporaryFolder();
  ollama = join(folder.path, "ollama");
});
afterEach(() => folder[Symbol.dispose]());

describe("the name of a model", () => {
  it("is a path inside the store or is refused, for any bytes", async () => {
    const store = openStore(ollama);
    const piece = fc.oneof(fc.constantFrom("..", ".", "/", ":", "\\", "\0", "%2e", "a", "-", "http://"), fc.string());
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const name = parseModelName(pieces.join(""));
        if (name === undefined) return;
        const { path, exists } = await store.locate(name);
        expect(exists).toBe(false);
        expect(relative(join(ollama, "manifests"), path).split(sep)).toEqual(Object.values(name));
      }),
      { numRuns: 300 },
    );
  });
});

describe("a store with false or damaged manifests", () => {
  const listed = async (dir: string) => {
    const { log, lines } = recordedLog();
    const starter = { path: join(folder.path, "nowhere.gguf"), parameters: {} };
    const all = createLibrary({ modelsDir: dir, stores: [openStore(dir)], extraFile: undefined, starter, log });
    return { names: (await all.list()).map(({ name }) => shortName(name)), lines };
  };

  it("is served as far as it is valid; each problem is logged once", async () => {
    putModel(ollama, `${library}/good/latest`, [layers.model(gguf)]);
    const { config } = putModel(ollama, `${library}/damaged/latest`, [
      layers.model(Buffer.from("GGUF and then nothing")),
    ]);
    const cut = putBlob(ollama, layers.model(randomGgufBytes({ seed: 5 })));
    putManifest(ollama, `${library}/short/latest`, encodeManifest(config, [{ ...cut, size: cut.size + 1 }]));
    const absent = { mediaType: layerTypes.model, digest: `sha256:${"0".repeat(64)}`, size: 3 } as const;
    putManifest(ollama, `${library}/absent/latest`, encodeManifest(config, [absent]));
    putManifest(ollama, `${library}/text/latest`, Buffer.from("no JSON"));
    putModel(ollama, `${library}/params/latest`, [
      layers.model(gguf),
      { mediaType: layerTypes.params, bytes: Buffer.from("[1]") },
    ]);
    const evil = { ...absent, digest: "sha256:../../../../etc/passwd" };
    putManifest(
      ollama,
      `${library}/evil/latest`,
      Buffer.from(JSON.stringify({ schemaVersion: 2, config: evil, layers: [evil] })),
    );
    putManifest(ollama, `${library}/a b/latest`, encodeManifest(config, []));
    mkdirSync(join(ollama, "manifests", library, "folder/latest/deeper"), { recursive: true });
    const { names, lines } = await listed(ollama);
    expect(names).toEqual(["good:latest"]);
    for (const name of ["damaged", "short", "absent", "text", "params", "evil"])
      expect(lines.filter((line) => line.includes(join(library, name)))).toHaveLength(1);
  });

  it("gives an error or blobs inside the store for any manifest", async () => {
    const store = openStore("/store");
    const digest = fc.oneof(
      fc.string(),
      fc.stringMatching(/^sha256[:-][0-9a-fA-F]{64}$/),
      fc.constantFrom("sha256:..", `sha256:${"a".repeat(63)}/`, `sha256:${"a".repeat(64)}\n`, "../x"),
    );
    const layer = fc.record(
      {
        mediaType: fc.oneof(fc.string(), fc.constantFrom(...Object.values(layerTypes))),
        digest,
        size: fc.oneof(fc.integer(), fc.double(), fc.string()),
      },
      { requiredKeys: [] },
    );
    const manifest = fc.record({
      schemaVersion: fc.constantFrom(2, 1),
      config: layer,
      layers: fc.array(fc.oneof(layer, fc.anything())),
    });
    fc.assert(
      fc.property(fc.oneof(manifest, fc.anything()), (value) => {
        try {
          const { config, layers: parsed } = parseManifest(Buffer.from(String(JSON.stringify(value))));
          for (const one of [config, ...parsed]) {
            expect(store.blobPath(one.digest)).toMatch(/^\/store\/blobs\/sha256-[0-9a-f]{64}$/);
            expect(Number.isSafeInteger(one.size) && one.size >= 0).toBe(true);
          }
        } catch (error) {
          if (!(error instanceof ManifestError)) throw error;
        }
      }),
      { numRuns: 500 },
    );
    expect(parseDigest(`sha256-${"A".repeat(64)}`)).toBe(`sha256:${"a".repeat(64)}`);
  });

  it("is listed for any bytes in its manifests and texts", async () => {
    const { config, layers: stored } = putModel(ollama, `${library}/good/latest`, [layers.model(gguf)]);
    let counter = 0;
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map((text) => Buffer.from(text)),
    );
    const kinds = ["template", "system", "params", "messages", "license", "projector"] as const;
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom(...kinds), async (content, kind) => {
        const name = `${library}/m${String(counter++)}/latest`;
        const text = putBlob(ollama, { mediaType: layerTypes[kind], bytes: Buffer.from(content) });
        putManifest(ollama, name, encodeManifest(config, [...stored, text]));
        putManifest(ollama, `${library}/raw/latest`, content);
        const found = await listed(ollama);
        expect(found.names).toContain("good:latest");
        rmSync(join(ollama, "manifests", name));
      }),
      { numRuns: 60 },
    );
  });
});
