/** What Python's Jinja2 makes of filters and tests. */
import { refused, type Probes } from "./probe.ts";

export const filterProbes: Probes = {
  "of texts": [
    [
      "{{ 'hello world-x (y'|title }}{{ 'hELLO'|capitalize }}{{ ' a '|trim }}|{{ 'xax'|trim('x') }}|{{ 'ab'|upper }}{{ nil|upper }}{{ 1|lower }}{{ missing|upper }}",
      "Hello World-X (YHelloa|a|ABNONE1",
    ],
    [
      "{{ 'a\\nb'|indent(2) }}|{{ 'a\\nb'|indent(2, true) }}|{{ 'a\\n\\nb'|indent(width=2, first=true, blank=true) }}|{{ 'a\\nb'|indent('>') }}",
      "a\n  b|  a\n  b|  a\n  \n  b|a\n>b",
    ],
    [
      "{{ 'aaa'|replace('a', 'b', 2) }}{{ nil|replace('None', 'x') }}{{ 'a'|center(5) }}|{{ 'a b c'|wordcount }}{{ 'abcdef ghi'|truncate(5, true, '') }}{{ 'foo bar baz qux'|truncate(9) }}{{ 'foo bar baz qux'|truncate(9, leeway=0) }}",
      "bbax  a  |3abcdef ghifoo...foo...",
    ],
    [
      "{{ 'foo bar baz'|wordwrap(5) }}{{ '%s-%d'|format('a', 2) }}{{ '%(x)s'|format(x=1) }}{{ 'a b&c/d'|urlencode }}{{ {'a': 'b c'}|urlencode }}{{ '<a>&\"'|e }}{{ '<'|forceescape }}{{ '<b>x</b>'|striptags }}{{ {'a': 1, 'b': nil}|xmlattr }}",
      'foo\nbar\nbaza-21a%20b%26c/da=b+c&lt;a&gt;&amp;&#34;&lt;x a="1"',
    ],
    [
      "{{ 'abc'|reverse }}{{ 'abc'|first }}{{ 'abc'|last }}{{ 'abc'|list }}{{ 'héé'|length }}{{ '🎉'|length }}{{ 'a'|string }}{{ [1, 'a']|string }}{{ 1.5|string }}",
      "cbaac['a', 'b', 'c']31a[1, 'a']1.5",
    ],
    ["{{ 1|indent }}", refused],
    ["{{ 'a'|replace('b') }}", refused],
    ["{{ 'a'|unknown }}", refused],
    ["{{ 'a'|format(1) }}", refused],
    ["{{ '{\"a\": 1}'|fromjson }}", refused],
    ["{% if false %}{{ 1|unknown }}{% endif %}ok", "ok"],
    ["{% for x in [] %}{{ 1|unknown }}{% endfor %}", refused],
  ],
  "of numbers": [
    [
      "{{ 2.5|round }}{{ 3.5|round }}{{ 2.675|round(2) }}{{ 2.1|round(method='ceil') }}{{ 2.19|round(1, 'floor') }}{{ 1234|round(-2) }}{{ 7|round }}{{ 2.5|round|int }}{{ 0.125|round(2) }}",
      "2.04.02.673.02.11200720.12",
    ],
    [
      "{{ '42'|int }}{{ '4.7'|int }}{{ 'x'|int }}{{ 'x'|int(9) }}{{ '0x1A'|int(base=16) }}{{ nil|int }}{{ 3.9|int }}{{ ' 7 '|int }}{{ '1_0'|int }}{{ '2.5'|float }}{{ 'x'|float }}{{ 'x'|float(1.5) }}{{ '1e3'|float }}{{ -5|abs }}{{ (-5)|abs }}{{ 1000|filesizeformat }}{{ 1024|filesizeformat(true) }}",
      "4240926037102.50.01.51000.0551.0 kB1.0 KiB",
    ],
    ["{{ missing|int }}", refused],
    ["{{ 'a'|abs }}", refused],
    ["{{ 'a'|round }}", refused],
  ],
  "of lists": [
    [
      "{{ [1, 2]|sum }}{{ r|sum(attribute='sub.k', start=10) }}{{ l|min }}{{ l|max }}{{ []|min }}{{ ['b', 'A']|min }}{{ ['b', 'A']|min(case_sensitive=true) }}{{ r[:2]|max(attribute='n') }}",
      refused,
    ],
    [
      "{{ [2, 1, 2]|unique|list }}{{ ['a', 'A']|unique|list }}{{ l|sort }}{{ l|sort(reverse=true) }}{{ ['b', 'A', 'a']|sort }}{{ ['b', 'A', 'a']|sort(case_sensitive=true) }}{{ r[:2]|sort(attribute='n')|map(attribute='name')|list }}{{ l|reverse|list }}{{ l|first }}{{ l|last }}{{ []|first }}{{ []|last }}",
      "[2, 1]['a'][1, 2, 3][3, 2, 1]['A', 'a', 'b']['A', 'a', 'b']['Y', 'x'][2, 1, 3]32",
    ],
    [
      "{{ l|join }}{{ l|join(', ') }}{{ [1, nil, missing, true]|join('|') }}{{ r|join(',', attribute='name') }}{{ missing|join }}{{ 'abc'|join('-') }}{{ d|join(',') }}",
      "3123, 1, 21|None||Truex,Y,xa-b-ca,b,items,get",
    ],
    [
      "{{ [1, 2, 3]|batch(2)|list }}{{ [1, 2, 3]|batch(2, 0)|list }}{{ [1, 2, 3]|slice(2)|list }}{{ [1, 2, 3, 4]|slice(3, 'x')|list }}{{ d|list }}{{ d|length }}{{ missing|length }}{{ missing|list }}{{ l|count }}{{ range(3)|list }}",
      "[[1, 2], [3]][[1, 2], [3, 0]][[1, 2], [3]][[1, 2], [3, 'x'], [4, 'x']]['a', 'b', 'items', 'get']40[]3[0, 1, 2]",
    ],
    [
      "{{ r|groupby('name')|length }}{% for g in r[:2]|groupby('n') %}{{ g.grouper }}{{ g.list|length }}{{ g[0] }}{% endfor %}{% for name, items in r|groupby('n', default=0) %}{{ name }}:{{ items|length }};{% endfor %}",
      "21112120:1;1:1;2:1;",
    ],
    [
      "{{ {'b': 1, 'A': 2}|dictsort }}{{ {'b': 1, 'A': 2}|dictsort(true) }}{{ {'b': 1, 'A': 2}|dictsort(by='value', reverse=true) }}{% for k, v in d|items %}{{ k }}{% endfor %}{{ missing|items|list }}",
      "[('A', 2), ('b', 1)][('A', 2), ('b', 1)][('A', 2), ('b', 1)]abitemsget[]",
    ],
    [
      "{{ missing|default('x') }}{{ nil|default('x') }}{{ nil|default('x', true) }}{{ ''|d('x', boolean=true) }}{{ missing|default }}{{ d|attr('a') }}{{ s|attr('upper') is callable }}",
      "xNonexxTrue",
    ],
    ["{{ nil|length }}", refused],
    ["{{ nil|list }}", refused],
    ["{{ [1, 'a']|sort }}", refused],
    ["{{ l|map('upper') | length }}", refused],
    ["{% for k, v in nil|items %}x{% endfor %}", refused],
    ["{{ ['a']|sum }}", refused],
    ["{{ r|sort(attribute='n') }}", refused],
  ],
  "of each item": [
    [
      "{{ ['a', 'b']|reject('in', ['a'])|list }}{{ ['a', 'b']|select('in', ['a'])|list }}{{ [0, 1, nil]|select|list }}{{ [0, nil]|reject('none')|list }}{{ [1, 2]|reject('eq', 1)|list }}{{ [1, 2, 3]|select('odd')|list }}{{ [1, 'a']|select('string')|list }}{{ [1, 2]|reject('equalto', 1)|list }}{{ [4, 6]|select('divisibleby', 3)|list }}",
      "['b']['a'][1][0][2][1, 3]['a'][2][6]",
    ],
    [
      "{{ r|selectattr('n', 'eq', 1)|list }}{{ r|selectattr('n', 'defined')|list|length }}{{ r|rejectattr('n', 'defined')|list|length }}{{ r|selectattr('sub.k')|list|length }}{{ r[:2]|selectattr('n', '>', 1)|map(attribute='name')|list }}{{ r|selectattr('name', 'in', ['Y'])|list|length }}{{ ['a']|selectattr('x')|list }}{{ r|rejectattr('name', 'equalto', 'x')|list|length }}",
      refused,
    ],
    [
      "{{ r|map(attribute='sub.k', default=9)|list }}{{ r|groupby('sub.k', default=9)|map('first')|list }}{{ r|map(attribute='n', default=0)|list }}{{ r|map(attribute='name')|join(',') }}{{ [[1, 2]]|map(attribute=0)|list }}{{ ['a']|map('upper')|join }}{{ ['a', 'b']|map('replace', 'a', 'x')|list }}{{ [1, nil]|map('default', 0, true)|list }}{{ nil|map('upper')|list }}{{ r[:2]|map(attribute='sub')|map(attribute='k')|list }}",
      "[1, 2, 9][1, 2, 9][2, 1, 0]x,Y,x[1]A['x', 'b'][1, 0][][1, 2]",
    ],
    [
      "{% set g = [1, 2]|map('string') %}{{ g|list }}{{ g|list }}{% if []|select %}true{% endif %}{{ (l|select('odd')) is sequence }}",
      "['1', '2'][]trueFalse",
    ],
    ["{{ [1]|map|list }}", refused],
    ["{{ [1]|map('nothing')|list }}", refused],
    ["{{ [1]|select('nothing')|list }}", refused],
    ["{{ 1|map('upper')|list }}", refused],
    ["{{ r|selectattr('n', 'gt', 1)|list }}", refused],
  ],
  JSON: [
    [
      "{{ d|tojson }}{{ [1.0, 1e20, 0.1, nil, {}, [], true, 'é\"\\n</a>']|tojson }}{{ {'b': 1, 'a': 'é'}|tojson(sort_keys=true) }}{{ {'a': 'é🎉'}|tojson(ensure_ascii=true) }}{{ {'a': [1]}|tojson(separators=(',', ':')) }}{{ {1: 2, nil: 3, true: 4}|tojson }}{{ (1, 2)|tojson }}{{ 'x'|tojson }}{{ 1e16|tojson }}",
      '{"a": 1, "b": "x", "items": [1, 2], "get": null}[1.0, 1e+20, 0.1, null, {}, [], true, "é\\"\\n</a>"]{"a": "é", "b": 1}{"a": "\\u00e9\\ud83c\\udf89"}{"a":[1]}{"1": 4, "null": 3}[1, 2]"x"1e+16',
    ],
    [
      "{{ {'b': 1, 'a': [1, {}, []]}|tojson(indent=2) }}{{ [1]|tojson(indent='-') }}{{ []|tojson(indent=2) }}{{ {'a': 1}|tojson(indent=4, separators=(',', ': ')) }}",
      '{\n  "b": 1,\n  "a": [\n    1,\n    {},\n    []\n  ]\n}[\n-1\n][]{\n    "a": 1\n}',
    ],
    ["{{ missing|tojson }}", refused],
    ["{{ range(2)|tojson }}", refused],
    ["{{ {(1, 2): 3}|tojson }}", refused],
  ],
  pprint: [
    [
      "{{ {'b': 1, 'a': [1, 'x']}|pprint }}{{ {'long': 'x' * 40, 'other': ['y' * 30, 'z' * 30]}|pprint }}",
      "{'a': [1, 'x'], 'b': 1}{'long': 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',\n 'other': ['yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy', 'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz']}",
    ],
  ],
  tests: [
    [
      "{{ 1 is number }}{{ 'a' is string }}{{ {} is mapping }}{{ [] is sequence }}{{ 'a' is sequence }}{{ [] is iterable }}{{ 1 is iterable }}{{ nil is none }}{{ x is undefined }}{{ true is boolean }}{{ 1 is integer }}{{ true is integer }}{{ true is number }}{{ 1.0 is float }}{{ 1.0 is integer }}",
      "TrueTrueTrueTrueTrueTrueFalseTrueTrueTrueTrueFalseTrueTrueFalse",
    ],
    [
      "{{ 4 is even }}{{ 3 is odd }}{{ 4 is divisibleby(2) }}{{ 4 is divisibleby 2 }}{{ 1 is eq 1 }}{{ 2 is gt 1 }}{{ 2 is ne 1 }}{{ 2 is ge 2 }}{{ 1 is lt 2 }}{{ 'a' is in ['a'] }}{{ 'a' is in('abc') }}{{ none is sameas none }}{{ 1 is sameas 1 }}{{ 1 is sameas true }}{{ 1 is equalto 1 }}{{ 2 is greaterthan 1 }}",
      "TrueTrueTrueTrueTrueTrueTrueTrueTrueTrueTrueTrueTrueFalseTrueTrue",
    ],
    [
      "{{ 'A' is upper }}{{ 'a' is lower }}{{ true is true }}{{ 1 is true }}{{ false is false }}{{ f is callable }}{{ range is callable }}{{ 1 is callable }}{{ 'upper' is filter }}{{ 'odd' is test }}{{ 'a' is escaped }}",
      "TrueTrueTrueFalseTrueTrueTrueFalseTrueTrueFalse",
    ],
    [
      "{{ 1 is not none }}{{ x is not defined }}{{ 'a' is not string }}{{ not 1 is none }}{{ 1 is defined and 2 is defined }}{{ 1 is none or 2 }}",
      "TrueTrueFalseTrueTrue2",
    ],
    ["{{ 'a' is divisibleby 2 and true }}", refused],
    ["{{ 1 is nothing }}", refused],
    ["{{ 'a' is even }}", refused],
    ["{{ 1 is string is none }}", refused],
  ],
};
