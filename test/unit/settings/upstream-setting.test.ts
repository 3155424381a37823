import { describe, expect, it } from "vitest";
import { parseUpstream } from "../../../server/contract/process/upstream-setting.ts";
import { resolveSettings } from "../../../server/process/settings/read-settings.ts";

const settings = (upstreams: unknown) => resolveSettings({ data_dir: "/data", upstreams }, {}, "/nowhere").upstreams;

describe("the setting upstreams", () => {
  it("takes a URL alone, whose path tells the API, and all else as parameters", () => {
    expect(parseUpstream("http://gpu.lan:11434/")).toEqual({
      name: "gpu.lan:11434",
      url: "http://gpu.lan:11434",
      kind: "ollama",
      keyVariable: undefined,
      prefix: "",
      models: [],
    });
    expect(parseUpstream("llm=https://llm.lan/v1?key_env=KEY&prefix=llm/&model=a/b&model=c:1")).toEqual({
      name: "llm",
      url: "https://llm.lan/v1",
      kind: "openai",
      keyVariable: "KEY",
      prefix: "llm/",
      models: ["a/b", "c:1"],
    });
    expect(parseUpstream("x=http://gpu.lan/api?kind=openai").kind).toBe("openai");
  });

  it("is a list, or its items divided by commas", () => {
    expect(settings("a=http://a:1,b=http://b:2")).toEqual(["a=http://a:1", "b=http://b:2"]);
    expect(settings(["a=http://a:1"])).toEqual(["a=http://a:1"]);
    expect(settings("")).toEqual([]);
  });

  it.each([
    ["gpu", /NAME=http:\/\/host:port is required/],
    ["gpu=ftp://gpu", /NAME=http/],
    ["gpu=http://user:pw@gpu", /upstream_keys/],
    ["gpu=http://gpu?modle=x", /modle is none of kind, key_env/],
    ["gpu=http://gpu?kind=tgi", /kind is ollama or openai/],
    ["a=http://gpu,a=http://other", /a is there twice/],
    ["a=http://gpu,b=http://gpu/", /http:\/\/gpu is there twice/],
  ])("refuses %s, and says what is wrong", (text, problem) => {
    expect(() => settings(text)).toThrow(problem);
  });

  it("never shows keys, not even wrong ones", () => {
    const wrong = () => resolveSettings({ data_dir: "/data", upstream_keys: "sk-secret" }, {}, "/nowhere");
    expect(wrong).toThrow(/NAME=key is required/);
    expect(wrong).not.toThrow(/sk-secret/);
  });
});
