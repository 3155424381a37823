/** Go templates with what Ollama's own engine made of them. */
import { describe, expect, it } from "vitest";
import {
  parseOllamaTemplate,
  renderOllamaTemplate,
  type ChatVariables,
} from "../../../server/foreign/go-template/ollama-template.ts";

const tools: ChatVariables["tools"] = [
  {
    type: "function",
    function: {
      name: "get_weather",
      description: "Rain & <sun>",
      parameters: {
        type: "object",
        required: ["city"],
        properties: {
          unit: { type: "string", enum: ["c", "f"] },
          city: { type: "string", description: "City" },
          more: { type: ["object", "null"], properties: { z: { type: "integer" }, a: {} } },
        },
      },
    },
  },
];
const messages: ChatVariables["messages"] = [
  { role: "system", content: "Be kind." },
  { role: "user", content: "Hi" },
  {
    role: "assistant",
    content: "",
    thinking: "hm",
    tool_calls: [
      {
        id: "c1",
        function: {
          name: "get_weather",
          arguments: {
            unit: "c",
            city: "Köln",
            days: 1.5,
            far: 1e21,
            big: 1234567,
            no: null,
            in: { b: [1, "x"], a: true },
          },
        },
      },
    ],
  },
  { role: "tool", content: "12", tool_name: "get_weather", tool_call_id: "c1" },
  { role: "user", content: "Why?" },
];
const turns: ChatVariables["messages"] = [
  { role: "system", content: "Be kind." },
  { role: "user", content: "Hi" },
  { role: "assistant", content: "Hello" },
  { role: "user", content: "Why?" },
];

const render = (template: string, variables: ChatVariables, mostCharacters = 100_000) =>
  renderOllamaTemplate(parseOllamaTemplate(template), variables, mostCharacters);
/** Makes a template one of messages, which is run once. */
const once = "{{ range .Messages }}{{ end }}";

describe("a Go template writes texts, trims blanks and leaves comments out", () => {
  it.each([
    ['a {{- " b " -}} c', "a b c"],
    ["{{ \"a\\tb\\u00e9\\x41\" }}|{{ `raw\\n` }}|{{ 'a' }}", "a\tbéA|raw\\n|97"],
    ["a{{/* a }} comment */}}b {{- /* trimmed */ -}} c", "abc"],
    ["{{ 0x1F }} {{ 1_000 }} {{ 1e3 }} {{ 1.5 }} {{ -3 }} {{ 017 }} {{ 0b11 }}", "31 1000 1000 1.5 -3 15 3"],
    ["{{ 1000000.0 }} {{ 1e20 }} {{ 0.0001 }} {{ 0.00001 }}", "1e+06 1e+20 0.0001 1e-05"],
  ])("%s", (template, text) => {
    expect(render(`${once}${template}`, { messages, tools })).toBe(text);
  });
});

describe("a Go template decides and repeats", () => {
  it.each([
    ["{{ if .System }}S{{ else }}-{{ end }}{{ if .Nope }}N{{ else if .Tools }}T{{ else }}E{{ end }}", "ST"],
    [
      "{{ range $i, $m := .Messages }}{{ $i }}={{ $m.Role }}{{ if eq $i 2 }}{{ break }}{{ end }},{{ end }}",
      "0=system,1=user,2=assistant",
    ],
    [
      '{{ range .Messages }}{{ if eq .Role "tool" "system" }}{{ continue }}{{ end }}{{ .Role }} {{ end }}',
      "user assistant user ",
    ],
    [
      "{{ range .Messages }}{{ range .ToolCalls }}{{ range $k, $v := .Function.Arguments }}{{ $k }}:{{ $v }};{{ end }}{{ end }}{{ end }}",
      "big:1.234567e+06;city:Köln;days:1.5;far:1e+21;in:map[a:true b:[1 x]];no:<no value>;unit:c;",
    ],
    ["{{ range 3 }}{{ . }}{{ end }}{{ range .Nope }}x{{ else }}none{{ end }}", "012none"],
    ["{{ with .Nope }}a{{ else with .System }}{{ . }}{{ else }}b{{ end }}", "Be kind."],
    ["{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ $y := 3 }}{{ $y }}{{ end }}{{ $x }}", "32"],
    ['{{ $last := "" }}{{ range .Messages }}{{ $last = .Role }}{{ end }}{{ $last }}{{ len $.Messages }}', "user5"],
    [
      '{{ define "turn" }}<{{ .Role }}>{{ template "text" .Content }}{{ end }}{{ define "text" }}[{{ . }}]{{ end }}{{ range .Messages }}{{ template "turn" . }}{{ end }}',
      "<system>[Be kind.]<user>[Hi]<assistant>[]<tool>[12]<user>[Why?]",
    ],
    ['{{ block "b" .System }}({{ . }}{{ $ }}){{ end }}', "(Be kind.Be kind.)"],
  ])("%s", (template, text) => {
    expect(render(`${once}${template}`, { messages, tools })).toBe(text);
  });
});

describe("a Go template has Go's functions", () => {
  it.each([
    ["{{ and .System .Nope }}|{{ or .Nope .System }}|{{ or .Nope 0 }}|{{ not .Nope }}", "<no value>|Be kind.|0|true"],
    ["{{ and false (index .Messages 99) }} {{ or 1 (index .Messages 99) }}", "false 1"],
    [
      '{{ eq 1 2 1 }} {{ ne "a" "b" }} {{ lt 1 2 }} {{ le 1.5 1.5 }} {{ gt "b" "a" }} {{ ge 2 3 }}',
      "true true true true true false",
    ],
    ["{{ eq .Nope nil }} {{ eq .Tools nil }} {{ eq 'a' 97 }}", "true false true"],
    ['{{ len "é" }} {{ index "abc" 1 }} {{ slice "abcdef" 1 3 }} {{ slice "abc" 2 }}', "2 98 bc c"],
    [
      "{{ len (slice .Messages 1) }} {{ (index .Messages 1).Content }} {{ len (index .Messages 2).ToolCalls }}",
      "4 Hi 1",
    ],
    ['{{ print 1 2 "a" 3 4.5 nil }}|{{ println "a" 1 }}', "1 2a3 4.5 <nil>|a 1\n"],
    ['{{ printf "%s|%5s|%-5s|%q|%v" "a" "b" "c" "d\\n" 1.0 }}', 'a|    b|c    |"d\\n"|1'],
    ['{{ printf "%d %05d %x %X %c %U %t %T" 42 42 255 255 65 65 true 1.5 }}', "42 00042 ff FF A U+0041 true float64"],
    ['{{ printf "%.2f %e %g %6.1f|" 3.14159 1234.5 1e6 2.25 }}', "3.14 1.234500e+03 1e+06    2.2|"],
    [
      '{{ printf "%d" "x" }} {{ printf "%s" 1 }} {{ printf "%d" }} {{ printf "a" 1 }} {{ printf "%" }}',
      "%!d(string=x) %!s(int=1) %!d(MISSING) a%!(EXTRA int=1) %!(NOVERB)",
    ],
    [
      '{{ printf "%[2]s %[1]s" "a" "b" }} {{ printf "%*d|%-*d|" 4 1 4 2 }} {{ printf "%#v %+v" "a" 1.5 }}',
      'b a    1|2   | "a" 1.5',
    ],
    [
      '{{ html "<a href=\'x\'>" }} {{ js "it\'s <b>" }} {{ urlquery "a b&c" }}',
      "&lt;a href=&#39;x&#39;&gt; it\\'s \\u003Cb\\u003E a+b%26c",
    ],
    ["{{ 1 | print | }}", "1"],
    ['{{ "a" | printf "%s-%s" "b" | len }} {{ "x" | eq "x" }}', "3 true"],
  ])("%s", (template, text) => {
    expect(render(`${once}${template}`, { messages, tools })).toBe(text);
  });
});

describe("a Go template prints values as Ollama's types do", () => {
  it.each([
    [
      "{{ .Tools }}",
      '[{"type":"function","function":{"name":"get_weather","description":"Rain \\u0026 \\u003csun\\u003e","parameters":{"type":"object","required":["city"],"properties":{"city":{"type":"string","description":"City"},"more":{"type":["object","null"],"properties":{"z":{"type":"integer"},"a":{}}},"unit":{"type":"string","enum":["c","f"]}}}}}]',
    ],
    [
      "{{ json .Tools }}",
      '[{"type":"function","function":{"name":"get_weather","description":"Rain \\u0026 \\u003csun\\u003e","parameters":{"type":"object","required":["city"],"properties":{"city":{"type":"string","description":"City"},"more":{"type":["object","null"],"properties":{"z":{"type":"integer"},"a":{}}},"unit":{"type":"string","enum":["c","f"]}}}}}]',
    ],
    [
      "{{ range .Tools }}{{ . }}|{{ .Function }}|{{ .Function.Name }}|{{ .Type }}{{ end }}",
      '{"type":"function","function":{"name":"get_weather","description":"Rain \\u0026 \\u003csun\\u003e","parameters":{"type":"object","required":["city"],"properties":{"city":{"type":"string","description":"City"},"more":{"type":["object","null"],"properties":{"z":{"type":"integer"},"a":{}}},"unit":{"type":"string","enum":["c","f"]}}}}}|{get_weather Rain & <sun> {object <nil> <nil> [city] {"city":{"type":"string","description":"City"},"more":{"type":["object","null"],"properties":{"z":{"type":"integer"},"a":{}}},"unit":{"type":"string","enum":["c","f"]}}}}|get_weather|function',
    ],
    [
      "{{ range .Tools }}{{ .Function.Parameters.Properties }}|{{ .Function.Parameters.Required }}|{{ json .Function.Parameters }}{{ end }}",
      '{"city":{"type":"string","description":"City"},"more":{"type":["object","null"],"properties":{"z":{"type":"integer"},"a":{}}},"unit":{"type":"string","enum":["c","f"]}}|[city]|{"type":"object","required":["city"],"properties":{"city":{"type":"string","description":"City"},"more":{"type":["object","null"],"properties":{"z":{"type":"integer"},"a":{}}},"unit":{"type":"string","enum":["c","f"]}}}',
    ],
    [
      "{{ range .Tools }}{{ range $n, $p := .Function.Parameters.Properties }}{{ $n }}:{{ $p.Type }}:{{ toTypeScriptType $p }}:{{ $p.ToTypeScriptType }}:{{ $p.Enum }};{{ end }}{{ end }}",
      "city:string:string:string:[];more:[object null]:Record<string, any> | null:Record<string, any> | null:[];unit:string:string:string:[c f];",
    ],
    [
      "{{ range .Tools }}{{ range $n, $p := .Function.Parameters.Properties }}{{ $n }}{{ range $k, $v := $p.Properties.ToMap }} {{ $k }}{{ end }}{{ $p.Properties.Len }};{{ end }}{{ end }}",
      "city0;more a z2;unit0;",
    ],
    [
      "{{ range .Messages }}{{ range .ToolCalls }}{{ .Function.Name }} {{ .Function.Arguments }} {{ json .Function.Arguments.in }} {{ .Function.Arguments.in }} {{ .Function.Arguments.no }} {{ .ID }} {{ .Function.Index }}{{ end }}{{ end }}",
      'get_weather {"big":1234567,"city":"Köln","days":1.5,"far":1e+21,"in":{"a":true,"b":[1,"x"]},"no":null,"unit":"c"} {"a":true,"b":[1,"x"]} map[a:true b:[1 x]] <no value> c1 0',
    ],
    [
      '{{ index .Messages 3 }}|{{ json (index .Messages 1) }}|{{ printf "%+v" (index .Messages 1) }}',
      '{tool 12  [] [] get_weather c1}|{"Role":"user","Content":"Hi","Thinking":"","Images":null,"ToolCalls":null,"ToolName":"","ToolCallID":""}|&{Role:user Content:Hi Thinking: Images:[] ToolCalls:[] ToolName: ToolCallID:}',
    ],
    [
      "{{ range .Messages }}{{ .ToolCalls }}{{ .ToolName }}{{ .ToolCallID }}{{ .Thinking }}{{ .Images }};{{ end }}",
      '[][];[][];[{c1 {0 get_weather {"big":1234567,"city":"Köln","days":1.5,"far":1e+21,"in":{"a":true,"b":[1,"x"]},"no":null,"unit":"c"}}}]hm[];[]get_weatherc1[];[][];',
    ],
    ["{{ .Nope }} {{ json .Nope }} {{ $.Think }} {{ .ThinkLevel }} {{ .IsThinkSet }}", "<no value> null false  false"],
    [
      '{{ range .Messages }}{{ range .ToolCalls }}{{ printf "%v %s %d" .Function.Arguments.days .Function.Arguments.far .Function.Arguments.in }}{{ end }}{{ end }}',
      "1.5 %!s(float64=1e+21) map[%!d(string=a):%!d(bool=true) %!d(string=b):[%!d(float64=1) %!d(string=x)]]",
    ],
  ])("%s", (template, text) => {
    expect(render(`${once}${template}`, { messages, tools })).toBe(text);
  });
});

describe("a Go template runs once for each turn without messages", () => {
  it.each([
    [
      "{{ if .System }}<s>{{ .System }}</s>{{ end }}[{{ .Prompt }}]{{ .Response }}<e>",
      "<s>Be kind.</s>[Hi]Hello<e>[Why?]",
    ],
    ["{{ .Prompt }}", "HiHelloWhy?"],
    [
      "{{ if .Prompt }}U {{ .Prompt }}{{ end }} A {{ .Response }}{{ if .Response }}</s>{{ end }}!",
      "U Hi A Hello</s>!U Why? A ",
    ],
    ['{{ .System }}{{ .Prompt }}{{ printf "<%s>" .Response }} end', "Be kind.Hi<Hello> endWhy?<>"],
    ["{{ with .Response }}{{ . }}{{ end }}{{ .Prompt }}:{{ .Response }}", "HelloHi:HelloWhy?:"],
  ])("%s", (template, text) => {
    expect(render(template, { messages: turns })).toBe(text);
  });
});

describe("a Go template thinks", () => {
  const template = `${once}{{ .Think }} {{ .ThinkLevel }} {{ .IsThinkSet }}`;
  it.each([
    [{}, "false  false"],
    [{ enable_thinking: false }, "false  true"],
    [{ enable_thinking: true }, "true medium true"],
    [{ enable_thinking: true, reasoning_effort: "high" }, "true high true"],
  ])("as asked by %j", (variables, text) => {
    expect(render(template, { messages, ...variables })).toBe(text);
  });
});

it("a Go template joins neighbours of one role, and all system messages", () => {
  const sent = ["system", "system", "user", "user", "tool", "tool"].map((role, at) => ({ role, content: String(at) }));
  const template = "{{ .System }}|{{ range .Messages }}{{ .Role }}:{{ .Content }};{{ end }}";
  expect(render(template, { messages: sent })).toBe("0\n\n1|system:0\n\n1;user:2\n\n3;tool:4;tool:5;");
});

it("a Go template of a prompt with a suffix gets both", () => {
  const template = "<PRE> {{ .Prompt }} <SUF>{{ .Suffix }} <MID>";
  expect(render(template, { prompt: "a(", suffix: ")" })).toBe("<PRE> a( <SUF>) <MID>");
});

it("a Go template gets the date of today and of yesterday", () => {
  const [today = "", yesterday = ""] = render(`${once}{{ currentDate }} {{ yesterdayDate "x" }}`, { messages }).split(
    " ",
  );
  expect(today).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(Date.parse(today) - Date.parse(yesterday)).toBe(24 * 60 * 60 * 1000);
});
