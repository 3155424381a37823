/** Go templates that are refused or stopped, and those that are none. */
import { describe, expect, it } from "vitest";
import { isGoTemplate } from "../../../server/foreign/go-template/is-go-template.ts";
import {
  parseOllamaTemplate,
  renderOllamaTemplate,
  type ChatVariables,
} from "../../../server/foreign/go-template/ollama-template.ts";

const messages = ["system", "user", "assistant", "user"].map((role) => ({ role, content: "x" }));
const render = (template: string, variables: ChatVariables, mostCharacters = 100_000) =>
  renderOllamaTemplate(parseOllamaTemplate(template), variables, mostCharacters);
/** Makes a template one of messages, which is run once. */
const once = "{{ range .Messages }}{{ end }}";

describe("a Go template is refused with its line when", () => {
  it.each([
    ["a function is unknown", "\n{{ foo }}", 'line 2: function "foo" not defined'],
    ["a variable is unknown", "{{ $x }}", 'line 1: undefined variable "$x"'],
    ["an end is missing", "{{ if .System }}", "line 1: unexpected end of template: an {{end}} is missing"],
    ["an end is too much", "{{ end }}", "line 1: unexpected {{end}}"],
    ["an action is not closed", "{{ .System", "line 1: unclosed action"],
    ["nothing separates a name", "{{ $x=1 }}", 'line 1: bad character "="'],
    ["an action is empty", "{{ }}", "line 1: missing value for command"],
    ["a break is outside of a loop", "{{ break }}", "line 1: {{break}} outside {{range}}"],
    ["a value is called", "{{ .System | 1 }}", "line 1: non executable command in pipeline stage 2"],
    [
      "a template is called without a value",
      '{{ define "a" }}{{ end }}{{ template "a" }}',
      "line 1: undefined template",
    ],
    ["a number is too large", "{{ 9223372036854775808 }}", "9223372036854775808 overflows int"],
  ])("%s", (_what, template, message) => {
    expect(() => parseOllamaTemplate(template)).toThrow(message);
  });

  it.each([
    ["a field is unknown", "{{ range .Messages }}{{ .Nope }}{{ end }}", "can't evaluate field Nope"],
    ["nothing has a field", "{{ .Nope.More }}", "nil pointer evaluating <nil>.More"],
    ["values of two types are compared", '{{ eq 1 "a" }}', "incompatible types for comparison"],
    ["an index is too large", "{{ index .Messages 99 }}", "index out of range"],
    ["a number of arguments is wrong", "{{ len 1 2 }}", "wrong number of args for len: want 1 got 2"],
    ["a template is missing", '{{ template "a" . }}', 'template "a" not defined'],
    ["a text is repeated", "{{ range .System }}{{ end }}", "range can't iterate over a value of type string"],
    ["nil is a command", "{{ nil }}", "nil is not a command"],
  ])("%s while it runs", (_what, template, message) => {
    expect(() => render(`\n${once}${template}`, { messages })).toThrow(
      new RegExp(`^line 2: .*${message.replaceAll(/[.()]/g, ".")}`),
    );
  });
});

it.each([
  ["a loop writes much", "{{ range 100000 }}0123456789{{ end }}"],
  ["a text doubles itself", `{{ $x := "0123456789" }}{{ range 40 }}{{ $x = print $x $x }}{{ end }}`],
  ["widths are many", `{{ printf "${"%1000000d".repeat(1000)}"${" 1".repeat(1000)} }}`],
  ["a width is large", `{{ printf "%999999d" 1 }}`],
])("a Go template is stopped where %s", (_what, template) => {
  expect(() => render(once + template, { messages })).toThrow(/more than 100000 characters/);
});

it("a Go template that calls itself ends", () => {
  expect(() => render('{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" 1 }}', { messages })).toThrow(
    RangeError,
  );
});

it.each([
  "{{ .Prompt }}",
  "{{- range .Messages }}x{{ end }}",
  "{{if .System}}x{{end}}",
  "{{ (index .Messages 0).Role }}",
  "{{ json $.Tools }}",
  "{{ trim .Prompt }}",
])("%s is Go", (template) => {
  expect(isGoTemplate(template)).toBe(true);
});
it.each([
  "{{ bos_token }}",
  "{% for m in messages %}{{ m.content }}{% endfor %}",
  "{{ messages[0].content }}",
  "{{ 'a' }}",
  "{{ range(3) }}",
])("%s is Jinja", (template) => {
  expect(isGoTemplate(template)).toBe(false);
});
