import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { urlOfOllamaHost } from "../../../server/cli/models/model-address.ts";
import { ModelfileError, parseModelfile } from "../../../server/model/models/create/parse-modelfile.ts";
import { leavingLoopFree } from "../../support/busy-loop.ts";

describe("a Modelfile", () => {
  it("is read with every instruction, in any case and order, with quotes over several lines", () => {
    const source = [
      "\uFEFF# a comment",
      'PARAMETER stop "a b"',
      "parameter stop <x>",
      "PARAMETER temperature 0.5",
      "PARAMETER num_ctx 4096",
      "PARAMETER use_mmap false",
      "PARAMETER mirostat 2",
      'SYSTEM """You are',
      'brief."""',
      "MESSAGE user   hello there",
      'MESSAGE assistant """one',
      "FROM two",
      '"""',
      'TEMPLATE "{{ messages }}"',
      "LICENSE MIT",
      "license other",
      "REQUIRES 0.14.0",
      "RENDERER qwen3-coder",
      "parser qwen3-coder",
      "from ./x.gguf",
      "FROM llama3.2",
    ].join("\r\n");
    expect(parseModelfile(source)).toEqual({
      from: ["./x.gguf", "llama3.2"],
      parameters: { stop: ["a b", "<x>"], temperature: 0.5, num_ctx: 4096, use_mmap: false },
      system: "You are\nbrief.",
      template: "{{ messages }}",
      messages: [
        { role: "user", content: "hello there" },
        { role: "assistant", content: "one\nFROM two\n" },
      ],
      licenses: ["MIT", "other"],
      renderer: "qwen3-coder",
      parser: "qwen3-coder",
      requires: "0.14.0",
    });
  });

  it.each([
    ["", "no FROM line"],
    [
      "FROM x\nRUN y",
      '(line 2): command must be one of "from", "license", "template", "system", "parameter", "message", "requires", "renderer", "parser"',
    ],
    ["FROM x\n\nADAPTER y", "(line 3): ADAPTER is not supported"],
    ["FROM x\nPARSER", "(line 2): PARSER needs a value"],
    ["FROM x\nREQUIRES", "(line 2): REQUIRES needs a value"],
    ["FROM x\nDRAFT y", "(line 2): DRAFT is not supported"],
    ["FROM", "(line 1): FROM needs a value"],
    ["FROM x\nPARAMETER foo 1", "(line 2): unknown parameter 'foo'"],
    ["FROM x\nPARAMETER num_ctx many", '(line 2): invalid int value "many" for num_ctx'],
    ["FROM x\nPARAMETER top_p", '(line 2): invalid float value "" for top_p'],
    ["FROM x\nPARAMETER use_mmap maybe", '(line 2): invalid bool value "maybe" for use_mmap'],
    ["FROM x\nMESSAGE tool y", '(line 2): message role must be one of "system", "user", or "assistant"'],
    ['FROM x\nSYSTEM """abc', '(line 2): the quotes """ are never closed'],
    ['FROM x\nSYSTEM "a" b', "(line 2): unexpected text after the closing quotes: b"],
  ])("is refused by name and line: %j", (source, message) => {
    expect(() => parseModelfile(source)).toThrow(new ModelfileError(message));
  });

  it("keeps quotes within the text, and is read quickly however many there are", async () => {
    const source = 'FROM x\nSYSTEM "He said "hi" loudly"\nPARAMETER stop """say "x""""\nPARAMETER stop """"END""""';
    expect(parseModelfile(source)).toMatchObject({
      system: 'He said "hi" loudly',
      parameters: { stop: ['say "x"', '"END"'] },
    });
    const many = `FROM x\nSYSTEM "${'" '.repeat(200_000)}x`;
    await leavingLoopFree(async () => expect(() => parseModelfile(many)).toThrow(ModelfileError));
  });

  it("is read or refused with a clear error, whatever it holds", () => {
    const piece = fc.oneof(
      fc.constantFrom("FROM ", "SYSTEM ", "PARAMETER stop ", "MESSAGE user ", '"', '"""', "\n", "#"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        try {
          expect(parseModelfile(pieces.join("")).from.length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(ModelfileError);
        }
      }),
    );
  });

  it("is read quickly when it has tens of thousands of lines", async () => {
    const { from } = await leavingLoopFree(() => parseModelfile("FROM x\n".repeat(37_000)));
    expect(from).toHaveLength(37_000);
  });

  it("keeps any text between triple quotes as it is", () => {
    const text = fc.string().filter((one) => !/["\r]/.test(one));
    fc.assert(
      fc.property(text, (system) => {
        expect(parseModelfile(`FROM x\nSYSTEM """${system}"""`).system).toBe(system);
      }),
    );
  });
});

describe("OLLAMA_HOST means for a client", () => {
  it.each([
    ["", undefined],
    ["example", "http://example:11434"],
    ["example:1", "http://example:1"],
    [":5000", "http://127.0.0.1:5000"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["[::1]:7", "http://[::1]:7"],
    ["http://example", "http://example:80"],
    ["https://example/path", "https://example:443/path"],
    ["http://127.0.0.1:23114/ollama/", "http://127.0.0.1:23114/ollama"],
    ["example:99999", "http://example:11434"],
    ["https://example:abc", "https://example:443"],
    ["::1", "http://[::1]:11434"],
    ["[::1]", "http://[::1]:11434"],
    ["::", "http://[::1]:11434"],
    [' "example" ', "http://example:11434"],
  ])("%j: %s", (value, url) => expect(urlOfOllamaHost(value)).toBe(url));

  it.each(["a b", "a:b:c", "ftp://example", "http://me:secret@example"])("nothing, and is refused: %j", (value) => {
    expect(() => urlOfOllamaHost(value)).toThrow(/^OLLAMA_HOST has no host; write it as /);
  });
});
