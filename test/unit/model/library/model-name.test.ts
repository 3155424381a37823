import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fullName,
  nameKey,
  nameOfFile,
  parseModelName,
  shortName,
} from "../../../../server/model/models/library/model-name.ts";
import { withNames } from "../../../../server/model/models/library/plain-file.ts";

describe("model names", () => {
  it.each([
    ["llama3.2", "registry.ollama.ai/library/llama3.2:latest", "llama3.2:latest"],
    ["llama3.2:3b", "registry.ollama.ai/library/llama3.2:3b", "llama3.2:3b"],
    [" llama3.2 ", "registry.ollama.ai/library/llama3.2:latest", "llama3.2:latest"],
    ["me/x:q4", "registry.ollama.ai/me/x:q4", "me/x:q4"],
    ["hf.co/u/r:Q4_K_M", "hf.co/u/r:Q4_K_M", "hf.co/u/r:Q4_K_M"],
    ["http://localhost:5000/library/m", "localhost:5000/library/m:latest", "localhost:5000/library/m:latest"],
    ["registry.ollama.ai/library/m:x", "registry.ollama.ai/library/m:x", "m:x"],
  ])("reads %j as %s and shows it as %s", (text, full, short) => {
    const name = parseModelName(text);
    expect(name && fullName(name)).toBe(full);
    expect(name && shortName(name)).toBe(short);
  });

  it.each([
    "",
    " ",
    ":",
    "m:",
    ":tag",
    "/m",
    "a//m",
    "a/b/c/d",
    "m@sha256:abc",
    "-m",
    ".m",
    "m:-x",
    "u.ser/m",
    "m m",
    "模型",
    "../m",
    "a".repeat(81),
    `m:${"t".repeat(81)}`,
    `${"n".repeat(81)}/m`,
  ])("refuses %j", (text) => expect(parseModelName(text)).toBeUndefined());

  it("compares without regard to case and keeps the spelling", () => {
    const [a, b] = [parseModelName("LLaMA3:Q4"), parseModelName("llama3:q4")];
    expect(a && nameKey(a)).toBe(b && nameKey(b));
    expect(a && shortName(a)).toBe("LLaMA3:Q4");
  });

  it.each([
    ["foo.gguf", "foo:latest"],
    ["Llama-3.2-1B.Q4_K_M.GGUF", "Llama-3.2-1B.Q4_K_M:latest"],
    ["my model (1).gguf", "my-model--1-:latest"],
    ["-x.gguf", "_x:latest"],
    [".gguf", "_:latest"],
    ["通义千问-7B.gguf", "7B-cf4801:latest"],
    ["百川智能-7B.gguf", "7B-40410d:latest"],
    ["模型一.gguf", "model-1eadcc:latest"],
    ["Modèle (2).gguf", "Modele-2-8611f7:latest"],
    [`${"x".repeat(90)}-Q4.gguf`, `${"x".repeat(73)}-1970be:latest`],
    [`${"x".repeat(80)}.gguf`, `${"x".repeat(80)}:latest`],
  ])("names the file %j %s", (file, name) => expect(shortName(nameOfFile(file))).toBe(name));

  it("names a file alike however its system spells it", () => {
    expect(nameOfFile("Modèle.gguf".normalize("NFD"))).toEqual(nameOfFile("Modèle.gguf".normalize("NFC")));
  });

  it.each<[what: string, files: Record<string, string>]>([
    ["a sign that no name has", { "a b": "a-b", "a(b": "a-b-38d5ec" }],
    ["such a sign where another is spelled as the name", { "a b": "a-b-c8687a", "a+b": "a-b-300273", "a-b": "a-b" }],
    ["case", { "A-B": "A-B", "a-b": "a-b-d44362" }],
    ["the number of a part", { "c-00001-of-00002": "c-00001-of-00002-8eb0f4", c: "c" }],
    ["letters beyond ASCII", { 模型一: "model-1eadcc", 模型二: "model-15a58c" }],
  ])("tells files apart whose names differ in %s", (_what, files) => {
    const named = withNames(Object.keys(files).map((file) => ({ path: `/models/${file}.gguf`, parameters: {} })));
    const names = named.map(({ path, name }) => [path.replace(/^.*\/|\.gguf$/g, ""), name.model]);
    expect(Object.fromEntries(names)).toEqual(files);
  });

  it("gives every file a name that is valid", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (file) => parseModelName(shortName(nameOfFile(file))) !== undefined),
    );
  });
});
