/** Small templates that use much of Jinja2: most of them render, some are refused. */
import fc from "fast-check";

/** The variables of the templates. */
export const jinjaVariables = {
  s: "Hello, World",
  t: "  a-b_c\n d\té🎉 ",
  n: 7,
  m: -3,
  f: 2.5,
  z: 0,
  yes: true,
  no: false,
  nil: null,
  l: [3, 1, 2],
  w: ["b", "a", "C", "a"],
  e: [],
  d: { a: 1, b: "x", items: [1, 2], keys: null },
  r: [
    { name: "x", n: 2, sub: { k: 1 } },
    { name: "Y", n: 1, sub: { k: 2 } },
    { name: "x", n: null },
  ],
};

const oneOf = (...texts: readonly string[]) => fc.constantFrom(...texts);

const name = oneOf(...Object.keys(jinjaVariables), "missing", "x", "ns.a");
const literal = oneOf(
  ..."0 1 2 -1 3 10 2.0 0.5 1e3 12345678901234567890 true false none".split(" "),
  ..."'' 'a' 'ab' 'b, a' ', ' ' ' 'Hello' 'it\\'s' '\\n' '%s' '%05.1f|%-4d' '{} {}' '{0:>6}' 'é🎉' 'name' '3' ' 12 ' '1.5'".split(
    /(?<=') (?=')/,
  ),
  "[]",
  "{}",
  "()",
  "[1, 2, 3]",
  "['a', 'b']",
  "(1, 'a')",
  "{'a': 1, 'b': [2]}",
  "range(4)",
  "[true, 1, 1.0]",
  "[[1, 'a'], [0, 'b']]",
);

const textMethods = (arg: fc.Arbitrary<string>) =>
  fc.oneof(
    oneOf(
      ..."lower upper title capitalize strip lstrip rstrip split splitlines isdigit isalpha isupper islower swapcase items keys values is_integer".split(
        " ",
      ),
    ).map((method) => `.${method}()`),
    fc
      .tuple(
        oneOf(
          ..."strip lstrip rstrip split rsplit find rfind index count startswith endswith partition rpartition removeprefix removesuffix join get zfill center ljust format".split(
            " ",
          ),
        ),
        arg,
      )
      .map(([method, value]) => `.${method}(${value})`),
    fc
      .tuple(oneOf("replace", "split", "get", "rjust", "format", "find"), arg, arg)
      .map(([m, a, b]) => `.${m}(${a}, ${b})`),
  );

const filters = (arg: fc.Arbitrary<string>) =>
  fc.oneof(
    oneOf(
      ..."abs capitalize count d default dictsort e first float int items join last length list lower max min reverse round select reject sort string sum title tojson trim unique upper wordcount pprint urlencode striptags".split(
        " ",
      ),
    ),
    fc
      .tuple(oneOf(..."join default d batch slice round int float indent trim format center sum attr".split(" ")), arg)
      .map(([filter, value]) => `${filter}(${value})`),
    fc
      .tuple(oneOf("replace", "default", "batch", "indent", "truncate", "int", "format"), arg, arg)
      .map(([filter, a, b]) => `${filter}(${a}, ${b})`),
    oneOf(
      "map('upper') | list",
      "map(attribute='name') | list",
      "map(attribute='n', default=0) | list",
      "map('length') | list",
      "map('default', 'z', true) | join('-')",
      "selectattr('name', 'equalto', 'x') | list",
      "selectattr('n') | map(attribute='n') | list",
      "rejectattr('sub', 'defined') | list",
      "rejectattr('n', 'none') | list",
      "select('odd') | list",
      "reject('in', [1, 'a']) | list",
      "select('string') | list",
      "groupby('name')",
      "sort(attribute='n')",
      "sort(attribute='name,n', reverse=true)",
      "sort(case_sensitive=true)",
      "sum(attribute='n')",
      "min(attribute='n')",
      "max(attribute='name')",
      "unique(attribute='name') | list",
      "join(', ', attribute='name')",
      "tojson(indent=2)",
      "tojson(ensure_ascii=true)",
      "tojson(separators=(',', ':'), sort_keys=true)",
      "dictsort(by='value')",
      "dictsort(reverse=true)",
      "round(1, 'floor')",
      "wordwrap(5)",
      "list | length",
    ),
  );

const tests = (arg: fc.Arbitrary<string>) =>
  fc.oneof(
    oneOf(
      ..."defined undefined none number string mapping iterable sequence boolean integer float true false odd even upper lower callable escaped".split(
        " ",
      ),
    ),
    fc
      .tuple(oneOf("in", "eq", "ne", "lt", "ge", "sameas", "divisibleby"), arg)
      .map(([test, value]) => `${test}(${value})`),
  );

const binary = oneOf(..."+ - * / // % ~ == != < <= > >= and or in".split(" "), "not in");

const { expression } = fc.letrec<{ expression: string; atom: string }>((tie) => ({
  atom: fc.oneof({ weight: 3, arbitrary: name }, { weight: 3, arbitrary: literal }),
  expression: fc.oneof(
    { maxDepth: 3, depthIdentifier: "jinja" },
    { weight: 2, arbitrary: tie("atom") },
    {
      weight: 3,
      arbitrary: fc.tuple(tie("expression"), binary, tie("expression")).map((parts) => `(${parts.join(" ")})`),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(tie("expression"), filters(tie("atom"))).map(([e, filter]) => `(${e} | ${filter})`),
    },
    { weight: 3, arbitrary: fc.tuple(tie("atom"), textMethods(tie("atom"))).map(([e, method]) => `${e}${method}`) },
    { weight: 2, arbitrary: fc.tuple(tie("expression"), tests(tie("atom"))).map(([e, test]) => `(${e} is ${test})`) },
    { weight: 1, arbitrary: tie("expression").map((e) => `(not ${e})`) },
    { weight: 1, arbitrary: tie("expression").map((e) => `(-${e})`) },
    // Python takes hours for large exponents, and knows complex numbers.
    { weight: 1, arbitrary: fc.tuple(tie("atom"), oneOf("2", "-1")).map(([a, b]) => `(${a} ** ${b})`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie("expression"), tie("expression"), tie("expression"))
        .map(([a, b, c]) => `(${a} if ${b} else ${c})`),
    },
    { weight: 1, arbitrary: fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `[${a}, ${b}]`) },
    { weight: 2, arbitrary: fc.tuple(tie("atom"), tie("atom")).map(([a, b]) => `${a}[${b}]`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(name, oneOf("", "1", "-1", "-2", "9"), oneOf("", "2", "-1", "0"), oneOf("", ":2", ":-1", ":"))
        .map(([value, from, to, step]) => `${value}[${from}:${to}${step}]`),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(tie("atom"), oneOf("a", "items", "name", "0", "sub.k")).map((parts) => parts.join(".")),
    },
  ),
}));

const sign = oneOf("", "", "", "-", "+");
const gap = oneOf("", "", "\n", "  ", "\n  ", "text", "a\n\n b ");
const tag = (body: fc.Arbitrary<string>) =>
  fc.tuple(sign, body, sign).map(([open, text, close]) => `{%${open} ${text} ${close}%}`);
const output = fc
  .tuple(oneOf("", "", "-"), expression, oneOf("", "", "-"))
  .map(([open, text, close]) => `{{${open} ${text} ${close}}}`);

const loopParts = oneOf(
  "{{ loop.index }}",
  "{{ loop.last }}{{ loop.first }}",
  "{{ loop.previtem }}|{{ loop.nextitem }}",
  "{{ loop.cycle('p', 'q') }}",
  "{{ loop.changed(x) }}",
  "{{ loop.length - loop.revindex0 }}",
  "{% if loop.index > 2 %}{% break %}{% endif %}",
  "{% if x == 1 %}{% continue %}{% endif %}",
  "{% set z = x %}{{ z }}",
  "{% set ns.a = x %}",
  "{{ x }}",
);

const concatenated = (...parts: readonly fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(""));

const { body } = fc.letrec<{ body: string; statement: string }>((tie) => ({
  body: fc
    .array(fc.oneof({ weight: 3, arbitrary: output }, gap, tie("statement")), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join("")),
  statement: fc.oneof(
    { maxDepth: 2, depthIdentifier: "statement" },
    output,
    tag(fc.tuple(oneOf("x", "z", "ns.a", "x, z"), expression).map(([target, value]) => `set ${target} = ${value}`)),
    concatenated(
      tag(expression.map((e) => `if ${e}`)),
      tie("body"),
      tag(oneOf("else", "elif n")),
      tie("body"),
      tag(oneOf("endif")),
    ),
    concatenated(
      tag(fc.tuple(expression, oneOf("", " if x", " if x is string")).map(([e, test]) => `for x in ${e}${test}`)),
      gap,
      loopParts,
      tie("body"),
      loopParts,
      tag(oneOf("endfor", "else")).chain((end) =>
        end.includes("else") ? gap.map((g) => `${end}${g}{% endfor %}`) : fc.constant(end),
      ),
    ),
    concatenated(oneOf("{% set x %}", "{% set y | upper %}"), tie("body"), oneOf("{% endset %}")),
    concatenated(
      oneOf("{% macro mac(x, z=3) %}", "{% macro mac(x) %}{{ varargs }}{{ kwargs }}"),
      tie("body"),
      oneOf("{% endmacro %}"),
      fc.tuple(expression, oneOf("", ", z=5", ", 4")).map(([e, more]) => `{{ mac(${e}${more}) }}`),
    ),
    concatenated(
      oneOf("{% macro mac() %}[{{ caller() }}]{% endmacro %}{% call mac() %}"),
      tie("body"),
      oneOf("{% endcall %}"),
    ),
    concatenated(oneOf("{% filter upper %}", "{% filter trim | length %}"), tie("body"), oneOf("{% endfilter %}")),
    concatenated(fc.constant("{% with x = 5, z = n %}"), tie("body"), oneOf("{% endwith %}")),
    oneOf("{# a\n comment #}", "{#- c -#}", "{% raw %}{{ x }}{% endraw %}", "{%- raw -%}\n {% x %} {%- endraw -%}\n"),
  ),
}));

/** A template with a namespace `ns` and whatever else. */
export const jinjaTemplate: fc.Arbitrary<string> = body.map((text) => `{% set ns = namespace(a=1) %}${text}`);
