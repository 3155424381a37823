import { expect, it } from "vitest";
import type { BodyRequest } from "../../../../renderer/api/http/body-request.ts";
import { createUploadFile } from "../../../../renderer/api/http/upload-file.ts";

it("An upload of the console goes to the application server's own origin, with a client's token", async () => {
  const sent: BodyRequest[] = [];
  const upload = createUploadFile((request) => {
    sent.push(request);
    return Promise.resolve({ status: 201, text: JSON.stringify({ success: true, id: 7 }) });
  }, "http://127.0.0.1:3080");
  const { signal } = new AbortController();
  const file = new File(["text"], "notes.txt");
  expect(await upload({ file, type: "doc", token: "the.token", signal, onProgress: () => undefined })).toBe(7);
  expect(sent).toMatchObject([
    { method: "POST", path: "http://127.0.0.1:3080/api/uploads", headers: { authorization: "Bearer the.token" } },
  ]);
});
