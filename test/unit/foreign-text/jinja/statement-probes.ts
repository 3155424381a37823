/** What Python's Jinja2 makes of statements. */
import { refused, type Probes } from "./probe.ts";

export const statementProbes: Probes = {
  loops: [
    [
      "{% for i in [1, 2, 3] %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.previtem }}{{ loop.nextitem }}{{ loop.cycle('a', 'b') }}{{ loop.depth }}{{ loop.depth0 }}{{ loop.changed(i // 2) }};{% endfor %}",
      "1032TrueFalse32a10True;2121FalseFalse313b10True;3210FalseTrue32a10False;",
    ],
    [
      "{% for a, b in [(1, 2), (3, 4)] %}{{ a }}-{{ b }};{% endfor %}{% for (a, b), c in [((1, 2), 3)] %}{{ a }}{{ b }}{{ c }}{% endfor %}{% for i in 1, 2 %}{{ i }}{% endfor %}",
      "1-2;3-4;12312",
    ],
    [
      "{% for i in [] %}x{% else %}e{% endfor %}{% for i in [1] %}x{% else %}e{% endfor %}{% for i in missing %}x{% else %}m{% endfor %}{% for c in 'a🎉' %}{{ c }};{% endfor %}{% for k in d %}{{ k }}{% endfor %}",
      "exma;🎉;abitemsget",
    ],
    [
      "{% for i in [1, 2, 3, 4] if i % 2 == 0 %}{{ i }}{{ loop.index }}{{ loop.length }}{{ loop.last }}{% else %}none{% endfor %}{% for i in l if i > 5 %}x{% else %}none{% endfor %}",
      "212False422Truenone",
    ],
    [
      "{% for i in [1, 2, 3] %}{{ i }}{% if i == 2 %}{% break %}{% endif %}{% endfor %}{% for i in [1, 2, 3] %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}{% endfor %}{% for i in [1] %}{% break %}{% else %}e{% endfor %}",
      "1213e",
    ],
    [
      "{% for i in [[1], [2, [3]]] recursive %}{{ loop.depth }}{{ loop(i) if i is iterable else i }}{% endfor %}",
      "121122233",
    ],
    [
      "{% for i in [1, 2] %}{% for j in [3] %}{{ loop.index }}{% endfor %}{{ loop.index }}{% set outer = loop %}{% for j in [1] %}{{ outer.index }}{% endfor %}{% endfor %}",
      "111122",
    ],
    ["{% for i in [1, 2] %}{% for j in [i] if true %}{{ i }}{{ j }}{% endfor %}{% endfor %}{{ i }}{{ loop }}", "1122"],
    ["{% for a, b in [(1, 2, 3)] %}{% endfor %}", refused],
    ["{% for a, b in [1] %}{% endfor %}", refused],
    ["{% for i in nil %}{% endfor %}", refused],
    ["{% for i in 5 %}{% endfor %}", refused],
    ["{% for i in [1] %}{{ loop([1]) }}{% endfor %}", refused],
    ["{% break %}", refused],
    ["{% for loop in [1] %}{% endfor %}", refused],
    [
      "{% for i in [1, 2] %}{% set x %}{% break %}{% endset %}{% endfor %}{% for i in [1, 2] %}{% filter upper %}a{% continue %}b{% endfilter %}{% endfor %}|{% for i in [1, 2] %}{% with %}a{% break %}{% endwith %}{% endfor %}{% for i in [1, 2] %}{{ loop }}{% endfor %}",
      "|a<LoopContext 1/2><LoopContext 2/2>",
    ],
    ["{% for i in [1] %}{% macro f() %}{% break %}{% endmacro %}{% endfor %}", refused],
  ],
  variables: [
    ["{% set n = 0 %}{% for i in [1, 2, 3] %}{% set n = n + 1 %}{{ n }}{% endfor %}{{ n }}", "1110"],
    [
      "{% for i in [1, 2] %}{% if i == 1 %}{% set c = 'x' %}{% endif %}{{ c is defined }};{% endfor %}{% if true %}{% set a = 1 %}{% endif %}{{ a }}{% if false %}{% set n = 1 %}{% endif %}{{ n }}",
      "True;False;17",
    ],
    [
      "{% set ns = namespace(a=1) %}{% for i in [1, 2] %}{% set ns.a = ns.a + i %}{% endfor %}{{ ns.a }}{% set ns2 = namespace({'b': []}, c=1) %}{% set ns2.b = ns2.b + [1] %}{{ ns2.b }}{{ ns2.c }}{{ ns2.missing }}{% set ns2.x = nil %}{{ ns2.x }}",
      "4[1]1None",
    ],
    [
      "{% set a, b = (1, 2) %}{{ a }}{{ b }}{% set a, b = 'x:y'.split(':') %}{{ a }}{{ b }}{% set x = 1, 2 %}{{ x }}{% set x %}a{{ 1 }}{% endset %}{{ x }}{% set x | upper | trim %} abc {% endset %}{{ x }}|",
      "12xy(1, 2)a1ABC|",
    ],
    [
      "{% with a = 1, b = 2 %}{{ a }}{{ b }}{% set a = 3 %}{% endwith %}{{ a }}{% set j = joiner(',') %}{{ j() }}a{{ j() }}b{% set c = cycler('x', 'y') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}{{ c.current }}",
      "12a,bxyxy",
    ],
    [
      "{{ dict(a=1, b='x') }}{{ dict([('a', 1)]) }}{{ dict({'a': 1}, b=2) }}{{ dict() }}{{ range(1, 6, 2)|list }}{{ range(3, 0, -1)|list }}",
      "{'a': 1, 'b': 'x'}{'a': 1}{'a': 1, 'b': 2}{}[1, 3, 5][3, 2, 1]",
    ],
    ["{% set d.a = 1 %}", refused],
    ["{% set x = %}", refused],
    ["{% set 1 = 2 %}", refused],
    ["{% set a, b = [1] %}", refused],
    ["{{ range(100001) }}", refused],
    ["{{ range(1, 2, 0) }}", refused],
    ["{{ zip([1], [2]) }}", refused],
    ["{{ enumerate([1]) }}", refused],
  ],
  macros: [
    [
      "{% macro f(a, b=2, c=a) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ f(1) }}{{ f(1, c=3) }}{{ f(b=1) }}|{{ f.name }}{{ f.arguments }}",
      "1211231|f('a', 'b', 'c')",
    ],
    [
      "{% macro f(a) %}{{ a }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ f(1, 2, x=3) }}{{ f(*[1, 2], **{'y': 4}) }}",
      "1(2,){'x': 3}1(2,){'y': 4}",
    ],
    [
      "{% macro m(x) %}[{{ caller(x) }}]{% endmacro %}{% call(y) m('z') %}x{{ y }}{% endcall %}{% macro k() %}{{ caller is defined }}{% endmacro %}{{ k() }}",
      "[xz]False",
    ],
    [
      "{% macro f() %}{{ g }}{% endmacro %}{% set g = 'G' %}{{ f() }}{% macro h(n) %}{{ n }}{% if n > 0 %}{{ h(n - 1) }}{% endif %}{% endmacro %}{{ h(3) }}{% for i in [1] %}{% macro q() %}{{ i }}{% endmacro %}{{ q() }}{% endfor %}",
      "G32101",
    ],
    [
      "{% macro f() %}{% set z = 1 %}{% endmacro %}{{ f() }}{{ z }}{% filter upper %}abc{% set y = 1 %}{% endfilter %}{{ y }}{% generation %}x{% set w = 1 %}{% endgeneration %}{{ w }}",
      "ABCx",
    ],
    ["{% block a %}x{% endblock %}{{ self.a() }}", "xx"],
    ["{% macro f(a) %}{% endmacro %}{{ f(1, 2) }}", refused],
    ["{% macro f(a) %}{% endmacro %}{{ f(b=2) }}", refused],
    ["{% macro f(a=1, b) %}{% endmacro %}", refused],
    ["{% include 'x' %}", refused],
    ["{% extends 'x' %}", refused],
    ["{% do [1] %}", refused],
    ["{% print 1, 'a' %}{{ namespace(a=1) }}", "1a<Namespace {'a': 1}>"],
    ["{% macro f(x, x) %}{% endmacro %}", refused],
    ["{% macro f(caller) %}{% endmacro %}", ""],
    [
      "{% macro f() %}{{ kwargs }}{% endmacro %}{{ f.catch_kwargs }}{{ f.caller }}{{ f.constructor is defined }}{{ f.toString }}",
      "TrueFalseFalse",
    ],
    ["{{ raise_exception('No.') }}", refused],
  ],
  "blanks and lines": [
    ["a {#- c -#} b\n  {%- if true %}x{% endif -%}\n y", "abxy"],
    ["  {% if true %}x{% endif %}\n  y\n", "x  y"],
    ["\n  {% if true %}\n  x\n  {% endif %}\n z", "\n  x\n z"],
    ["  {%+ if true %}x{% endif +%}\n  y{{ 1 }}\n", "  x\n  y1"],
    [
      "a\n  {# c #}\nb{% raw %} {{ x }} {% if %} {% endraw %}c{%- raw -%} {% x %} {%- endraw -%} d",
      "a\nb {{ x }} {% if %} c{% x %}d",
    ],
    [" {{- 1 -}} \n {{ '}}' }}{{ {'a': {'b': 1}}['a']['b'] }}{{ \"%}\" }}", "1}}1%}"],
    ["{% set x = [\n1,\n 2\n] %}{{ x\n}}{{ {\n'a': 1} }}", "[1, 2]{'a': 1}"],
    ["a\r\nb\rc", "a\nb\nc"],
    ["{%- for i in [1, 2] -%}\n  {{ i }}\n{%- endfor %}\n.", "12."],
    ["{{ 1", refused],
    ["{% if true %}", refused],
    ["{% endif %}", refused],
    ["{% if %}x{% endif %}", refused],
    ["{{ }}", refused],
    ["{{ 1 2 }}", refused],
    ["{{ (1 }}", refused],
    ["{{ 'a }}", refused],
    ["{# a", refused],
    ["{% raw %}", ""],
    ["{{ a..b }}", refused],
    ["{{ a ! b }}", refused],
    ["{% for x in l %}{% endif %}", refused],
    ["{{ f(a=1, 2) }}", refused],
  ],
};
