/** Go templates of Modelfiles, each with what it would make of a chat. */
import { describe, expect, it } from "vitest";
import { parseTemplate, renderTemplate } from "../../../../server/foreign/jinja/template.ts";
import { isGoTemplate, jinjaForGo } from "../../../../server/model/models/library/go-template.ts";

const messages = [
  { role: "system", content: "Be kind." },
  { role: "user", content: "Hi" },
  { role: "assistant", content: "Hello" },
  { role: "user", content: "Why?" },
];
const render = (go: string) =>
  renderTemplate(
    parseTemplate(jinjaForGo(go) ?? "none"),
    { messages, add_generation_prompt: true, bos_token: "<s>" },
    100_000,
  );

const chatMl =
  "<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello<|im_end|>\n" +
  "<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n";
const llama3 = ["system\n\nBe kind.", "user\n\nHi", "assistant\n\nHello", "user\n\nWhy?"]
  .map((turn) => `<|start_header_id|>${turn.replace("\n\n", "<|end_header_id|>\n\n")}<|eot_id|>`)
  .join("");
const tagged = (end: string) =>
  `<|system|>\nBe kind.${end}\n<|user|>\nHi${end}\n<|assistant|>\nHello${end}\n<|user|>\nWhy?${end}\n<|assistant|>\n`;
const collect =
  '{{- $system := "" }}{{- range .Messages }}{{- if eq .Role "system" }}{{- if not $system }}{{ $system = .Content }}' +
  String.raw`{{- else }}{{ $system = printf "%s\n\n%s" $system .Content }}{{- end }}`;

const known: readonly (readonly [name: string, go: string, text: string])[] = [
  [
    "ChatML, by parts",
    "{{ if .System }}<|im_start|>system\n{{ .System }}<|im_end|>\n{{ end }}{{ if .Prompt }}<|im_start|>user\n{{ .Prompt }}<|im_end|>\n" +
      "{{ end }}<|im_start|>assistant\n{{ .Response }}<|im_end|>\n",
    chatMl,
  ],
  [
    "ChatML, by messages",
    "{{- range .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n{{ end }}<|im_start|>assistant\n",
    chatMl,
  ],
  [
    "Llama 3",
    "{{ if .System }}<|start_header_id|>system<|end_header_id|>\n\n{{ .System }}<|eot_id|>{{ end }}{{ if .Prompt }}" +
      "<|start_header_id|>user<|end_header_id|>\n\n{{ .Prompt }}<|eot_id|>{{ end }}<|start_header_id|>assistant<|end_header_id|>\n\n{{ .Response }}<|eot_id|>",
    `${llama3}<|start_header_id|>assistant<|end_header_id|>\n\n`,
  ],
  [
    "Gemma",
    "<start_of_turn>user\n{{ if .System }}{{ .System }} {{ end }}{{ .Prompt }}<end_of_turn>\n<start_of_turn>model\n{{ .Response }}<end_of_turn>\n",
    "<start_of_turn>user\nBe kind.\nHi<end_of_turn>\n<start_of_turn>model\nHello<end_of_turn>\n<start_of_turn>user\nWhy?<end_of_turn>\n<start_of_turn>model\n",
  ],
  [
    "Mistral",
    '[INST] {{ range $index, $_ := .Messages }}{{- if eq .Role "system" }}{{ .Content }}\n\n{{ else if eq .Role "user" }}{{ .Content }}[/INST]' +
      '{{- else if eq .Role "assistant" }} {{ .Content }}</s>[INST] {{ end }}{{- end }}',
    "[INST] Be kind.\n\nHi[/INST] Hello</s>[INST] Why?[/INST]",
  ],
  [
    "Llama 2",
    "[INST] <<SYS>>\n{{ .System }}\n<</SYS>>\n\n{{ .Prompt }} [/INST]",
    "[INST] <<SYS>>\nBe kind.\n<</SYS>>\n\nHi [/INST] Hello</s><s>[INST] Why? [/INST]",
  ],
  [
    "Phi 3",
    "{{ if .System }}<|system|>\n{{ .System }}<|end|>\n{{ end }}{{ if .Prompt }}<|user|>\n{{ .Prompt }}<|end|>\n{{ end }}<|assistant|>\n{{ .Response }}<|end|>\n",
    tagged("<|end|>"),
  ],
  ["Zephyr", "{{- range .Messages }}<|{{ .Role }}|>\n{{ .Content }}</s>\n{{ end }}<|assistant|>\n", tagged("</s>")],
  [
    "Vicuna",
    `${collect}{{- else if eq .Role "user" }}{{- if $system }}{{ $system }}\n\n{{ $system = "" }}{{- end }}USER: {{ .Content }}\n` +
      '{{ else if eq .Role "assistant" }}ASSISTANT: {{ .Content }}</s>\n{{ end }}{{- end }}ASSISTANT:',
    "Be kind.\n\nUSER: Hi\nASSISTANT: Hello</s>\nUSER: Why?\nASSISTANT:",
  ],
  [
    "Alpaca",
    `${collect}{{- else if eq .Role "user" }}{{- if $system }}{{ $system }}\n\n{{ $system = "" }}{{- end }}### Instruction:\n{{ .Content }}\n\n` +
      '{{ else if eq .Role "assistant" }}### Response:\n{{ .Content }}\n\n{{ end }}{{- end }}### Response:\n',
    "Be kind.\n\n### Instruction:\nHi\n\n### Response:\nHello\n\n### Instruction:\nWhy?\n\n### Response:\n",
  ],
  ["no format", "{{ .Prompt }}", "Be kind.\n\nHi\n\nHello\n\nWhy?"],
  ["no format, by parts", "{{ if .System }}{{ .System }}\n{{ end }}{{ .Prompt }}\n", "Be kind.\n\nHi\n\nHello\n\nWhy?"],
];

describe("a Go template", () => {
  it.each(known)("of a common format has a Jinja that says the same: %s", (_name, go, text) => {
    expect(isGoTemplate(go)).toBe(true);
    expect(render(go)).toBe(text);
  });

  it.each([
    ["of no format", "Q: {{ .Prompt }}"],
    ["without a question", "{{ .System }}{{ .Response }}"],
    [
      "with words of its own",
      "<|im_start|>system\nYou are a pirate.<|im_end|>\n<|im_start|>user\n{{ .Prompt }}<|im_end|>",
    ],
    ["with words in an action", '<|im_start|>{{ "pirate" }}\n{{ .Prompt }}<|im_end|>'],
    [
      "with tools",
      "{{ if .Tools }}<|im_start|>system\n{{ .Tools }}<|im_end|>{{ end }}<|im_start|>user\n{{ .Prompt }}<|im_end|>",
    ],
    ["with thoughts", "<|im_start|>assistant\n{{ .Thinking }}{{ .Content }}<|im_end|>"],
    ["with a suffix", "<|im_start|>{{ .Prompt }}{{ .Suffix }}<|im_end|>"],
    ["of two formats", "<|im_start|>user\n{{ .Prompt }}<|eot_id|>"],
    ["that is broken", "<|im_start|>user\n{{ .Prompt <|im_end|>"],
  ])("is left alone that is one %s", (_what, go) => {
    expect(jinjaForGo(go)).toBeUndefined();
  });
});

it.each([
  "{{ range(3) | length }}",
  "{{range(0, -9, -1)}}",
  "{{ messages[0].content }}",
  "{% if messages %}{{ end }}{% endif %}",
])("%s is Jinja", (jinja) => {
  expect(isGoTemplate(jinja)).toBe(false);
});
