import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pngBytes } from "../../support/files.ts";
import { consoleToken, startTestApp } from "../../support/app/test-app.ts";

it.each([
  ["type", "doc"],
  ["a[b]", ""],
  ["type[kind]", '{"kind":"doc"}'],
  ["type[]", '["doc"]'],
  ["toString", ""],
  ["__proto__", ""],
])("an upload may have a field named %s beside its file", async (name, type) => {
  await using app = await startTestApp();
  const form = new FormData();
  form.append(name, "doc");
  form.append("[]", new File([pngBytes(1, 1)], "a.png"));
  const sent = await fetch(`${app.url}/api/uploads`, { method: "POST", body: form, headers: await app.loggedIn() });
  expect(sent.status).toBe(201);
  const authorized = { Authorization: `Bearer ${consoleToken}` };
  const listed = await fetch(`${app.url}/console/api/uploads`, { headers: authorized });
  expect(await listed.json()).toMatchObject({ uploads: [{ file_name: "a.png", type }] });
});

it.each([
  ["type[1000000]"],
  ["a[1000000000]"],
  ["type[b][30000000]"],
  // The second makes an object of the list, item by item.
  ["a[1000000]", "a[b]"],
])("a field that asks for a place far down a list, %s, is refused, and nothing of the file stays", async (...names) => {
  await using app = await startTestApp();
  const form = new FormData();
  form.append("[]", new File([pngBytes(1, 1)], "a.png"));
  for (const name of names) form.append(name, "doc");
  const sent = await fetch(`${app.url}/api/uploads`, { method: "POST", body: form, headers: await app.loggedIn() });
  expect([sent.status, await sent.json()]).toMatchObject([
    400,
    { success: false, err_msg: expect.stringMatching(/^The list index in the field/) as string },
  ]);
  const left = readdirSync(join(app.folder, "uploads"), { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => entry.isFile()).map((entry) => entry.name)).toEqual([]);
});

const boundary = "frontier";
const sendRaw = async (app: Awaited<ReturnType<typeof startTestApp>>, body: Buffer<ArrayBuffer>, headers = {}) => {
  const type = `multipart/form-data; boundary=${boundary}`;
  const response = await fetch(`${app.url}/api/uploads`, {
    method: "POST",
    body,
    headers: { ...(await app.loggedIn()), "Content-Type": type, ...headers },
  });
  return [response.status, await response.json()] as const;
};
const part = (head: Buffer, content: Buffer) =>
  Buffer.concat([Buffer.from(`--${boundary}\r\n`), head, Buffer.from("\r\n\r\n"), content, Buffer.from("\r\n")]);
const disposition = (...pieces: (string | number[])[]) =>
  Buffer.concat([
    Buffer.from("Content-Disposition: form-data; "),
    ...pieces.map((piece) => Buffer.from(piece as string)),
  ]);
const end = Buffer.from(`--${boundary}--\r\n`);

it.each([
  ["file name", [part(disposition('name="[]"; filename="', [0xb2, 0xe2], '.png"'), Buffer.from(pngBytes(1, 1)))]],
  [
    "field",
    [
      part(disposition('name="type"'), Buffer.from([0xb2, 0xe2])),
      part(disposition('name="[]"; filename="a.png"'), Buffer.from(pngBytes(1, 1))),
    ],
  ],
])(
  "an upload whose %s is in GBK is refused as 400 bad_encoding, and nothing of the file stays",
  async (_what, parts) => {
    await using app = await startTestApp();
    const [status, body] = await sendRaw(app, Buffer.concat([...parts, end]));
    expect([status, body]).toMatchObject([
      400,
      { success: false, err_msg: expect.stringMatching(/is not valid UTF-8/) as string },
    ]);
    expect(
      readdirSync(join(app.folder, "uploads"), { recursive: true, withFileTypes: true }).filter((e) => e.isFile()),
    ).toEqual([]);
  },
);

it("an upload that is compressed is refused as 415 with the name of the coding", async () => {
  await using app = await startTestApp();
  const [status, body] = await sendRaw(app, Buffer.from("zipped"), { "Content-Encoding": "gzip" });
  expect([status, body]).toMatchObject([415, { err_msg: expect.stringContaining('"gzip"') as string }]);
});

it("blanks and tabs behind a delimiter are removed, and none from the content of the file", async () => {
  await using app = await startTestApp();
  const padded = (bytes: Buffer, padding: string) =>
    Buffer.concat([Buffer.from(`--${boundary}${padding}`), bytes.subarray(`--${boundary}`.length)]);
  const content = Buffer.concat([Buffer.from(pngBytes(1, 1)), Buffer.from(" \r\n--front \r\n")]);
  const [status, body] = await sendRaw(
    app,
    Buffer.concat([
      padded(part(disposition('name="type"'), Buffer.from("doc")), " "),
      padded(part(disposition('name="[]"; filename="a.png"'), content), " \t "),
      end,
    ]),
  );
  expect([status, body]).toMatchObject([201, { id: 1 }]);
  const stored = readdirSync(join(app.folder, "uploads"), { recursive: true, withFileTypes: true });
  const files = stored.filter((entry) => entry.isFile());
  expect(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)))).toEqual([content]);
});
