/** Regular expressions and templates that strangers wrote: they take as long as they may, and no longer. */
import fc from "fast-check";
import { afterAll, describe } from "vitest";
import {
  createExclusion as createMatchSample,
  requireUsablePatterns,
} from "../../server/app/file-events/exclude-patterns.ts";
import { createForeignPattern } from "../../server/foreign/foreign-pattern.ts";
import { createTemplateRenderer } from "../../server/foreign/template-renderer.ts";
import { HttpError } from "../../server/http/http-error.ts";
import { createExclusion } from "../../server/watcher/excluded/exclude-patterns.ts";
import { familyTemplates } from "../support/model/family-templates.ts";
import { fuzz, refusesBy } from "./families.ts";
import { changed } from "./inputs/changes.ts";

const deadlineMs = 10;
const source = changed(
  fc.constantFrom(
    "\\.tmp$",
    "(^|/)node_modules(/|$)",
    "^(?:[^/]+/)*a{1,3}\\d+$",
    "(a+)+b",
    "(x|xx)*y",
    "[\\w-]+\\.(png|jpe?g)$",
  ),
  {
    words: [
      "(",
      ")",
      "*",
      "+",
      "?",
      "{1,}",
      "{0,9999}",
      "[",
      "]",
      "|",
      "\\b",
      "(?=",
      "(?<a>",
      "\\1",
      "\\k<a>",
      "^",
      "$",
      "\\u{1}",
    ],
  },
);
const paths = fc.array(
  changed(fc.constantFrom("a/b.tmp", "/home/u/node_modules/x", "aaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "xxxx")),
  {
    minLength: 1,
    maxLength: 4,
  },
);

describe("patterns of strangers:", () => {
  fuzz("foreign patterns", {
    inputs: fc.tuple(source, paths),
    read([pattern, texts]) {
      const compiled = createForeignPattern(pattern);
      for (const text of texts) compiled.test(text, deadlineMs);
      compiled.testAll(texts, deadlineMs);
    },
    refuses: refusesBy("SyntaxError", "OutOfTimeError"),
  });

  fuzz("patterns of the watcher", {
    inputs: fc.tuple(fc.array(source, { maxLength: 3 }), paths),
    read([patterns, texts]) {
      const exclusion = createExclusion(patterns, { deadlineMs, onGivenUp: () => undefined });
      exclusion.hasEach(texts);
      exclusion.has(texts[0] ?? "");
    },
    refuses: refusesBy("SettingsError"),
  });

  fuzz("patterns of watched folders", {
    inputs: fc.tuple(fc.array(source, { maxLength: 3 }), paths),
    read([patterns, texts]) {
      requireUsablePatterns(patterns, "/home/u", deadlineMs);
      createMatchSample(patterns, deadlineMs, "/home/u")(texts);
    },
    refuses: (error) => error instanceof HttpError && error.status === 400,
  });
});

describe("templates of strangers:", () => {
  const renderer = createTemplateRenderer({ deadlineMs: 50, mostCharacters: 100_000 });
  afterAll(() => renderer.close());
  const template = changed(
    fc.constantFrom(
      "{% for message in messages %}{{ message.role + '\\n' + message.content }}{% endfor %}",
      "{%- set ns = namespace(a=[]) %}{% macro m(x) %}{{ x | upper }}{% endmacro %}{{ m('a') ~ range(3) | join(',') }}",
      ...Object.values(familyTemplates),
    ),
    {
      words: [
        ...[
          "{%",
          "%}",
          "{{",
          "}}",
          "{#",
          "| tojson",
          "| join",
          "range(9999999)",
          "raise_exception('x')",
          "[0:1]",
          "is defined",
        ],
        ...[
          "* 9999999",
          "%}{% for a in messages %}",
          "namespace()",
          "messages",
          "loop.index",
          "'",
          "__proto__",
          "constructor",
        ],
      ],
      brackets: [
        ["{% if true %}", "{% endif %}"],
        ["{{ (", ") }}"],
        ["(", ")"],
        ["[", "]"],
      ],
    },
  );

  fuzz("templates", {
    inputs: template,
    async read(text) {
      await renderer.check(text);
      await renderer.render(text, {
        messages: [
          { role: "user", content: "Hi" },
          { role: "assistant", content: "", tool_calls: [] },
        ],
        tools: null,
        add_generation_prompt: true,
      });
    },
    refuses: refusesBy("TemplateError"),
  });
});
