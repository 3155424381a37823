import { MantineProvider } from "@mantine/core";
import { createElement, type FC } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { presentValues } from "../../../../../renderer/ui/forms/schema-fields.ts";
import { itemDataOf, itemForm, itemFields } from "../../../../../renderer/features/collections/items/item-values.ts";

/** The tests are compiled without what the page's own files need: the name is for Vite alone. */
const file: string = "../../../../../renderer/ui/forms/schema-form.tsx";
const { SchemaForm } = (await import(file)) as {
  SchemaForm: FC<ReturnType<typeof itemForm> & { onChange: () => void }>;
};

const fields = itemFields({
  properties: {
    title: { type: "string" },
    count: { type: "integer" },
    price: { type: "number" },
    sold: { type: "boolean" },
    color: { enum: ["red", "blue"] },
    tags: { type: "array", items: { enum: ["new", "old"] } },
    sizes: { type: "array", items: { enum: [36, 37, 38] } },
  },
});
const fitting = { title: "Boot", count: 2, price: 9.5, sold: true, color: "red", tags: ["new"], sizes: [37, 36] };
const kinds = (data: Record<string, unknown>) => itemForm(fields, data).fields.map(({ kind }) => kind);
const html = (data: Record<string, unknown>) =>
  renderToStaticMarkup(
    createElement(
      MantineProvider,
      null,
      createElement(SchemaForm, { ...itemForm(fields, data), onChange: () => undefined }),
    ),
  );

it("An item has the fields of its schema, and what is not changed stays", () => {
  expect(kinds(fitting)).toEqual(["text", "integer", "number", "flag", "choice", "choices", "choices"]);
  const form = itemForm(fields, fitting);
  expect(itemDataOf(form.fields, form.values, fitting)).toEqual(fitting);
  const nulls = Object.fromEntries(fields.map(({ name }) => [name, null]));
  const unset = itemForm(fields, nulls);
  expect(itemDataOf(unset.fields, { ...unset.values, title: "x", count: "" }, nulls)).toEqual({ ...nulls, title: "x" });
});

it("Values that do not fit their fields are shown as JSON, and stay what they are", () => {
  for (const odd of [true, 1.5, "text", ["text"], { a: 1 }]) {
    const data = Object.fromEntries(fields.map(({ name }) => [name, odd]));
    const form = itemForm(fields, data);
    expect(html(data)).toContain("<textarea");
    expect(itemDataOf(form.fields, form.values, data)).toEqual(data);
  }
  expect(kinds({ title: 7, tags: "new", sizes: ["37"], color: "green", count: 1.5 })).toEqual([
    "json",
    "json",
    "number",
    "flag",
    "json",
    "json",
    "json",
  ]);
});

it("Chosen numbers have their boxes checked", () => {
  const boxes = [...html(fitting).matchAll(/<input[^>]*type="checkbox"[^>]*>/g)].map(([box]) => box);
  const checked = boxes.filter((box) => box.includes("checked")).map((box) => /value="(\w+)"/.exec(box)?.[1]);
  expect(checked).toEqual(expect.arrayContaining(["new", "36", "37"]));
  expect(checked).not.toContain("38");
});

it("A field with a name that every object inherits is empty until it is given", () => {
  const names = ["constructor", "toString", "valueOf"];
  const inherited = itemFields({ properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) });
  const form = itemForm(inherited, {});
  expect([form.values, itemDataOf(form.fields, form.values, {}), presentValues(inherited, {})]).toEqual([{}, {}, {}]);
  const shown = renderToStaticMarkup(
    createElement(MantineProvider, null, createElement(SchemaForm, { ...form, onChange: () => undefined })),
  );
  expect(shown).not.toContain("native code");
  const given = Object.fromEntries(names.map((name) => [name, "x"]));
  expect(itemForm(inherited, given).values).toEqual(given);
});
