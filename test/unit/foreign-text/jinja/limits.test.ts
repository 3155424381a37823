/** Python's forms of values, which the templates of models were written for, and the limits of templates. */
import { describe, expect, it } from "vitest";
import { parseTemplate, renderTemplate } from "../../../../server/foreign/jinja/template.ts";
import { TooLargeError } from "../../../../server/foreign/too-large-error.ts";

const variables = {
  none: null,
  yes: true,
  types: ["string", null, 1.5, true],
  empty: [],
  tool: { name: "it's", default: null, "a b": [] },
};
const render = (text: string, mostCharacters = 1000) => renderTemplate(parseTemplate(text), variables, mostCharacters);

describe("as in Jinja2,", () => {
  it.each([
    ["none, true and lists are written", "{{ none }} {{ yes }} {{ types }}", "None True ['string', None, 1.5, True]"],
    ["mappings are written", "{{ tool }}", `{'name': "it's", 'default': None, 'a b': []}`],
    [
      "texts in lists are written",
      "{{ ['a\"b\\'c', '\\n\u00a0\u200b\u{e0001}'] }}",
      `['a"b\\'c', '\\n\\xa0\\u200b\\U000e0001']`,
    ],
    ["tuples are written", "{{ (1, missing) }}", "(1, Undefined)"],
    ["JSON is written", "{{ tool | tojson }}{{ none | tojson }}", `{"name": "it's", "default": null, "a b": []}null`],
    ["statements write nothing", "{% set x = none %}{% macro m() %}a{% endmacro %}{# c #}{{ missing }}.", "."],
    [
      "values become texts",
      "{{ none | string }}{{ yes | string | lower }}{{ types | upper }}",
      "Nonetrue['STRING', NONE, 1.5, TRUE]",
    ],
    [
      "what is missing is an empty text",
      "<{{ missing | upper }}{{ missing | trim }}{{ missing | replace('a', 'b') }}>",
      "<>",
    ],
    [
      "what is missing is an empty list",
      "{{ missing | length }}{{ missing | list }}{{ missing | join(',') }}{{ missing | items | list }}",
      "0[][]",
    ],
    ["what is missing has no items", "{% for x in missing %}a{% else %}b{% endfor %}", "b"],
    [
      "nothing is selected of none",
      "{{ none | selectattr('a', 'defined') | list | length }}{{ none | map('upper') | list }}",
      "0[]",
    ],
    ["an empty list has no first item", "<{{ empty | first }}{{ empty | last }}>", "<>"],
    [
      "texts and mappings are iterated",
      "{% for c in 'ab' if c != 'a' %}{{ c }}{% endfor %}{{ 'ab' | list }}{{ tool | list }}",
      "b['a', 'b']['name', 'default', 'a b']",
    ],
    [
      "filters are mapped",
      "{{ types | map('upper') | join('|') }}{{ ['ab'] | map('replace', 'a', 'c') | list }}",
      "STRING|NONE|1.5|TRUE['cb']",
    ],
    ["items are joined", "{{ types | join(' ') }}", "string None 1.5 True"],
    ["values are concatenated", "{{ 'a' ~ none ~ yes ~ missing ~ empty }}", "aNoneTrue[]"],
    [
      "none and missing values are looked for",
      "{{ none in types }}{{ missing in types }}{{ missing not in types }}{{ none in tool }}",
      "TrueFalseTrueFalse",
    ],
    ["lists are looked for", "{{ types in ('string', 'number') }}", "False"],
    [
      "keys may be numbers",
      "{% set d = {2: 'b', 10: 'c', 1: 'a'} %}{% for k, v in d | dictsort if k <= 2 %}{{ k }}{{ v }}{% endfor %}{{ d[10] }}{{ 2 in d }}{{ d }}",
      "1a2bcTrue{2: 'b', 10: 'c', 1: 'a'}",
    ],
    ["keys that cannot be are missing", "<{{ tool[missing] }}{{ tool[types] }}{{ types[none] }}{{ none['a'] }}>", "<>"],
    ["mappings are iterable", "{{ tool is iterable }}{{ yes is iterable }}{{ 'a' is not iterable }}", "TrueFalseFalse"],
    ["what is missing has a default", "{{ missing | default('a') }}<{{ missing | default }}>", "a<>"],
    ["lines end as Python's", "a\r\nb\rc", "a\nb\nc"],
  ])("%s", (_what, template, text) => expect(render(template)).toBe(text));
});

describe("the limits count for", () => {
  it.each([
    [
      "a text of a list",
      1000,
      "{% set ns = namespace(s=[]) %}{% for i in range(60) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ ns.s }}",
    ],
    ["a list of a text's characters", 2_000_000, `{{ "${"x".repeat(1_000_001)}" | list | length }}`],
  ])("%s", (_what, most, template) => expect(() => render(template, most)).toThrow(TooLargeError));
});
