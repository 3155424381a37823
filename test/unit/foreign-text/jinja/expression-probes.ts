/** What Python's Jinja2 makes of expressions. */
import { refused, type Probes } from "./probe.ts";

export const expressionProbes: Probes = {
  "attributes, items and methods": [
    ["{% for k, v in d.items() %}{{ k }};{% endfor %}", "a;b;items;get;"],
    ["{{ d.get('b') }}{{ d['get'] }}{{ d.keys() | list }}{{ d.a }}", "xNone['a', 'b', 'items', 'get']1"],
    [
      "{% set d = {'items': 1, 'a': 2} %}{% for k, v in d.items() %}{{ k }};{% endfor %}{% set d = {'items': 1, 'name': 'n'} %}{{ d['items'] }} {{ d.name }}",
      "items;a;1 n",
    ],
    ["{{ d['items'] }}{{ {'keys': 1}.keys() | list }}{{ {'a': 1}.items is defined }}", "[1, 2]['keys']True"],
    ["{{ {'values': 1, 'name': 'n'}.name }}{{ {'pop': 1}['pop'] }}", "n1"],
    ["{{ d.missing is defined }}{{ d.missing }}{{ nil.a }}{{ l.first }}{{ n.x }}", "False"],
    ["{{ l[0] }}{{ l[-1] }}{{ l[9] }}{{ l.0 }}{{ 'abc'[1] }}{{ d[['a']] }}{{ l['x'] }}{{ nil['x'] }}", "323b"],
    ["{{ d.missing.deeper }}", refused],
    ["{{ missing.name }}", refused],
    ["{{ missing['name'] }}", refused],
    ["{{ missing() }}", refused],
    ["{{ l.append(4) }}", refused],
    ["{{ d.update({'z': 1}) }}", refused],
    ["{{ d.pop('a') }}", refused],
    ["{{ ''.__class__ }}", ""],
    ["{{ d.update is defined }}{{ l.append }}", "False"],
    ["{{ n() }}", refused],
  ],
  slices: [
    [
      "{{ l[1:] }}{{ l[:-1] }}{{ l[::2] }}{{ l[::-1] }}{{ l[5:] }}{{ l[-2:] }}{{ (1, 2, 3)[1:] }}",
      "[1, 2][3, 1][3, 2][2, 1, 3][][1, 2](2, 3)",
    ],
    [
      "{{ 'abc'[::-1] }}{{ '🎉é'[1:] }}{{ '🎉é'[:1] }}{{ s[7:] }}{{ s[-5:-2] }}{{ range(5)[1:3] | list }}{{ range(5)[-1] }}",
      "cbaé🎉WorldWor[1, 2]4",
    ],
    ["{{ l[::0] }}", refused],
    ["{{ d[1:] }}", refused],
    ["{{ nil[1:] }}", refused],
    ["{{ l['a':] }}", refused],
  ],
  numbers: [
    [
      "{{ 7 // 2 }} {{ -7 // 2 }} {{ 7 / 2 }} {{ 7 % 3 }} {{ -7 % 3 }} {{ 2 ** 3 }} {{ 7 // 2.0 }} {{ -7.5 % 2 }} {{ 10 / 2 }}",
      "3 -4 3.5 1 2 8 3.0 0.5 5.0",
    ],
    [
      "{{ 1.0 }} {{ 1e3 }} {{ 1e16 }} {{ 1e-5 }} {{ 0.1 + 0.2 }} {{ 1_000 }} {{ 0x1f }} {{ 0b11 }} {{ 1.5e300 * 1e10 }} {{ 2 ** -1 }}",
      "1.0 1000.0 1e+16 1e-05 0.30000000000000004 1000 31 3 inf 0.5",
    ],
    [
      "{{ 12345678901234567890 * 10 }} {{ 2 ** 100 }} {{ -n }} {{ +n }} {{ -2 ** 2 }} {{ 2 ** 3 ** 2 }} {{ true + 1 }} {{ --n }}",
      "123456789012345678900 1267650600228229401496703205376 -7 7 4 64 2 7",
    ],
    ["{{ 1 / 0 }}", refused],
    ["{{ 1 % 0 }}", refused],
    ["{{ 'a' + 1 }}", refused],
    ["{{ 1 + 'a' }}", refused],
    ["{{ 'a' + nil }}", refused],
    ["{{ missing + 1 }}", refused],
    ["{{ -'a' }}", refused],
    ["{{ [] - [] }}", refused],
  ],
  "texts and lists": [
    [
      "{{ 'a' 'b' }}{{ 'a' ~ 1 ~ nil ~ missing ~ true ~ 1.5 ~ [1] }}{{ 'ab' * 2 }}{{ 2 * 'ab' }}{{ 'a' * -1 }}",
      "aba1NoneTrue1.5[1]abababab",
    ],
    [
      "{{ [0] * 3 }}{{ [1] + [2] }}{{ (1,) + (2,) }}{{ (1,) * 2 }}{{ () }}{{ [] }}{{ {} }}{{ {'a': 1,} }}{{ {1: 2}[1] }}{{ {true: 1}[1] }}",
      "[0, 0, 0][1, 2](1, 2)(1, 1)()[]{}{'a': 1}21",
    ],
    [
      "{{ '%s' % 'a' }}{{ '%d-%s' % (1, 'b') }}{{ '%05.1f|%-4d|%+d|%x|%o|%e|%g|%%|%r|%c' % (2.55, 3, 4, 255, 8, 12345.678, 1e10, 'q', 'z') }}{{ '%(a)s' % d }}{{ '%5s|%-5s|%.2s' % ('a', 'b', 'cde') }}{{ '%s' % [1] }}{{ '%*d' % (4, 2) }}",
      "a1-b002.5|3   |+4|ff|10|1.234568e+04|1e+10|%|'q'|z1    a|b    |cd[1]   2",
    ],
    [
      "{{ 'a\\nb' }}{{ \"q\\\"\" }}{{ 'it\\'s' }}{{ '\\u00e9\\x41\\101' }}{{ '\\t|\\\\|\\q' }}",
      "a\nbq\"it'séAA\t|\\|\\q",
    ],
    ["{{ '%d' % 'a' }}", refused],
    ["{{ '%s %s' % 'a' }}", refused],
    ["{{ 'a' % 1 }}", refused],
    ["{{ [1] + (2,) }}", refused],
    ["{{ {[]: 1} }}", refused],
  ],
  comparisons: [
    [
      "{{ 1 < 2 < 3 }}{{ 1 < 3 < 2 }}{{ 'a' < 'b' }}{{ 'a' < 'B' }}{{ [1, 2] < [1, 3] }}{{ (1,) < (1, 2) }}{{ 1 < 1.5 }}{{ true < 2 }}",
      "TrueFalseTrueFalseTrueTrueTrueTrue",
    ],
    [
      "{{ true == 1 }}{{ 1 in [true] }}{{ 1 == 1.0 }}{{ [1] == [1.0] }}{{ d == d }}{{ {'a': 1} == {'a': 1} }}{{ nil == nil }}{{ [1] == (1,) }}{{ '1' == 1 }}{{ missing == other }}{{ nil == missing }}",
      "TrueTrueTrueTrueTrueTrueTrueFalseFalseTrueFalse",
    ],
    [
      "{{ {'a': 1} in [{'a': 1}] }}{{ 'a' in 'ab' }}{{ 'a' in d }}{{ 'z' not in d }}{{ 1 in (1, 2) }}{{ 'a' in missing }}{{ not 'a' in ['b'] }}{{ 2 in range(3) }}",
      "TrueTrueTrueTrueTrueFalseTrueTrue",
    ],
    [
      "{{ '' or 'x' }}{{ 'a' and 'b' }}{{ not '' }}{{ 0 or nil }}{{ [] and 1 }}{{ 1 if '' else 2 }}{{ 'x' if false }}{{ 'a' if true else 'b' if true else 'c' }}",
      "xbTrueNone[]2a",
    ],
    ["{{ 1 < 'a' }}", refused],
    ["{{ nil < 1 }}", refused],
    ["{{ 1 in 2 }}", refused],
    ["{{ 1 in 'a' }}", refused],
    ["{{ missing < 1 }}", refused],
    ["{{ missing in 'a' }}", refused],
  ],
  "how values are written": [
    [
      "{{ nil }}{{ true }}{{ [nil, true, 'a', 1.5, 2, (1,), {'k': missing}] }}{{ [\"it's\", 'a\"b', '\\n\\u00a0🎉\\\\'] }}",
      "NoneTrue[None, True, 'a', 1.5, 2, (1,), {'k': Undefined}][\"it's\", 'a\"b', '\\n\\xa0🎉\\\\']",
    ],
    [
      "{{ True }}{{ None }}{{ False }}{{ range(3) }}{{ range(1, 9, 2) }}{{ d.items() }}{{ {'a': 1}.keys() }}{{ {'a': 1}.values() }}{{ (1, missing) }}",
      "TrueNoneFalserange(0, 3)range(1, 9, 2)dict_items([('a', 1), ('b', 'x'), ('items', [1, 2]), ('get', None)])dict_keys(['a'])dict_values([1])(1, Undefined)",
    ],
  ],
  "methods of texts": [
    [
      "{{ 'aXb'.lower() }}{{ 'aXb'.upper() }}{{ 'a,b'.partition(',') }}{{ 'a,b,c'.rpartition(',') }}{{ 'abc'.find('c') }}{{ 'abc'.find('z') }}{{ 'abca'.rfind('a') }}{{ 'ab'.index('b') }}{{ 'x y'.title() }}{{ \"it's\".title() }}{{ 'aBC d'.capitalize() }}{{ 'aB'.swapcase() }}",
      "axbAXB('a', ',', 'b')('a,b', ',', 'c')2-131X YIt'SAbc dAb",
    ],
    [
      "{{ 'xxab'.lstrip('x') }}{{ 'abxx'.rstrip('x') }}{{ 'xyabyx'.strip('xy') }}{{ '\\n a \\n'.lstrip('\\n') }}|{{ ' a '.strip() }}|{{ '\\u3000a\\x1c'.strip() }}|{{ 'a'.strip('') }}",
      "ababab a \n|a|a|a",
    ],
    [
      "{{ 'a b  c'.split() }}{{ 'a,b,c'.split(',', 1) }}{{ 'a,b,c'.rsplit(',', 1) }}{{ 'a,b'.split(sep=',', maxsplit=1) }}{{ ' a b '.split(nil, 1) }}{{ 'a\\nb\\r\\nc'.splitlines() }}{{ 'a\\nb'.splitlines(true) }}{{ ''.split() }}{{ ''.split(',') }}",
      "['a', 'b', 'c']['a', 'b,c']['a,b', 'c']['a', 'b']['a', 'b ']['a', 'b', 'c']['a\\n', 'b'][]['']",
    ],
    [
      "{{ 'abc'.startswith('a') }}{{ 'abc'.startswith(('x', 'a')) }}{{ 'abc'.endswith('bc', 1) }}{{ 'aaa'.replace('a', 'b', 2) }}{{ 'ab'.replace('', '-') }}{{ 'aaa'.count('a') }}{{ 'aa'.count('') }}",
      "TrueTrueTruebba-a-b-33",
    ],
    [
      "{{ 'a'.zfill(3) }}{{ '-1'.zfill(4) }}{{ 'a'.ljust(3) }}|{{ 'a'.rjust(3, '*') }}{{ 'a'.center(4, '-') }}{{ 'ab'.removeprefix('a') }}{{ 'ab'.removesuffix('b') }}{{ '-'.join(['a', 'b']) }}{{ 'a\\tb'.expandtabs(4) }}",
      "00a-001a  |**a-a--baa-ba   b",
    ],
    [
      "{{ '1'.isdigit() }}{{ 'a'.isalpha() }}{{ 'a1'.isalnum() }}{{ ' '.isspace() }}{{ 'A'.isupper() }}{{ 'a'.islower() }}{{ 'Ab C'.istitle() }}{{ '²'.isdigit() }}{{ '²'.isdecimal() }}{{ '½'.isnumeric() }}{{ ''.isascii() }}{{ 'a_1'.isidentifier() }}",
      "TrueTrueTrueTrueTrueTrueTrueTrueFalseTrueTrueTrue",
    ],
    [
      "{{ '{} {x}'.format(1, x=2) }}{{ '{0}{1}{0}'.format('a', 'b') }}{{ '{:>6}|{:<4}|{:^5}|{:*^7}'.format('a', 'b', 'c', 'd') }}{{ '{:05d} {:,} {:.2f} {:x} {:b} {:+d} {:e} {:%} {!r}'.format(7, 1234567, 2.555, 255, 5, 3, 12345.6789, 0.25, 'q') }}{{ '{a[b]} {{}} {l[0]}'.format(a=d, l=l) }}",
      "1 2aba     a|b   |  c  |***d***00007 1,234,567 2.56 ff 101 +3 1.234568e+04 25.000000% 'q'x {} 3",
    ],
    ["{{ 'abc'.index('z') }}", refused],
    ["{{ 'a'.join([1]) }}", refused],
    ["{{ 'a'.split('') }}", refused],
    ["{{ 'a'.replace('a') }}", refused],
    ["{{ 'a'.nothing() }}", refused],
    ["{{ '{:.1%} {:%} {:.0%}'.format(1e308, -1e308, 0.5) }}", "inf% -inf% 50%"],
    ["{{ '{}'.format() }}", refused],
    ["{{ '{:d}'.format('a') }}", refused],
    ["{{ 'a'.strip(1) }}", refused],
    [
      "{{ 'aaa'.rsplit('aa') }}{{ 'abc'.find('', 5) }}{{ 'abc'.startswith('', 4) }}{{ 'abc'.count('', 5) }}{{ '{:>{}}'.format('a', 5) }}{{ '%+.3e' % 12345 }}",
      "['a', '']-1False0    a+1.234e+04",
    ],
    ["{{ '{0}{}'.format(1) }}", refused],
    ["{{ 'x'.strip(chars='x') }}", refused],
    ["{{ 'x'.replace(old='x', new='y') }}", refused],
  ],
  "methods of lists and numbers": [
    [
      "{{ [1, 2, 1].count(1) }}{{ [1, 2].index(2) }}{{ (1, 2).index(2) }}{{ [1].copy() }}{{ d.copy().a }}{{ (5).bit_length() }}{{ (2.0).is_integer() }}{{ d.get('zz', 5) }}{{ d.get('get', 5) }}{{ 5 .real }}",
      "211[1]13True5None5",
    ],
    ["{{ [1].index(2) }}", refused],
    ["{{ d.get() }}", refused],
    ["{{ d.get([]) }}", refused],
  ],
};
