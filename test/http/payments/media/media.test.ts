/** Pictures and videos that a merchant uploads by version 3: forms whose `meta` is signed. */
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMerchantV3, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { createAxiosPlugin } from "../../../support/payments/payment-sdks.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";
import { picture, sha256, uploadV3 } from "../../../support/payments/upload-v3.ts";

let provider: TestProvider;
let merchant: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

const upload = (path: string, changed?: Parameters<typeof uploadV3>[3]) =>
  uploadV3(provider.url, merchant, path, changed);
const images = "/v3/merchant-service/images";

describe("an upload", () => {
  it("of a picture returns its number, by which the merchant downloads it", async () => {
    const { status, json } = await upload(`${images}/upload`);
    expect([status, json]).toEqual([200, { media_id: expect.stringMatching(/^[0-9A-F]{32}[.]png$/) }]);
    expect(await merchant.fetchBytes(`${images}/${json.media_id}`)).toEqual(picture);
  });

  it.each([
    ["/v3/merchant/media/upload", "cup.jpg"],
    ["/v3/merchant/media/video_upload", "cup.mp4"],
  ])("by %s of %s returns a long number", async (path, filename) => {
    expect((await upload(path, { filename })).json).toEqual({ media_id: expect.stringMatching(/^[\w-]{116}$/) });
  });

  it("is refused for its digest, its kind, its size or its signature, and a file that is missing is 404", async () => {
    const path = "/v3/merchant/media/upload";
    const refused = async (changed: Parameters<typeof uploadV3>[3]) => {
      const { status, json } = await upload(path, changed);
      return [status, json.code, json.detail.field];
    };
    expect(await refused({ digest: "0".repeat(64) })).toEqual([400, "PARAM_ERROR", "/sha256"]);
    expect(await refused({ filename: "cup.mp4" })).toEqual([400, "PARAM_ERROR", "/filename"]);
    expect(await refused({ bytes: Buffer.alloc(2 * 1024 * 1024 + 1) })).toEqual([400, "PARAM_ERROR", "/file"]);
    const json = await merchant.call("POST", path, { filename: "cup.png", sha256: sha256(picture) });
    expect(json).toMatchObject({ status: 400, json: { code: "INVALID_REQUEST" } });
    const form = { headers: { "Content-Type": "multipart/form-data; boundary=x" } };
    expect(await merchant.call("POST", path, "--x--", form)).toMatchObject({
      status: 401,
      json: { code: "SIGN_ERROR" },
    });
    expect(await merchant.call("GET", `${images}/NOBODY.png`)).toMatchObject({ status: 404, isSigned: true });
  });

  it("goes through wechatpay-axios-plugin", async () => {
    const { client, kit } = await createAxiosPlugin(provider.url, merchant.credentials);
    const send = (call: { post: (form: unknown, config: object) => Promise<{ data: unknown }> }, filename: string) => {
      const form = new kit.Multipart();
      const meta = { filename, sha256: sha256(picture) };
      form.append("meta", JSON.stringify(meta));
      form.append("file", picture, filename);
      return call.post(form.getBuffer(), { meta, headers: form.getHeaders() });
    };
    const { media } = client.v3.merchant;
    const answer = { media_id: expect.any(String) };
    const uploaded = await send(client.v3.merchantService.images.upload, "cup.png");
    expect(uploaded.data).toEqual(answer);
    // The client demands a signature of each reply that is no stream, which the platform's files lack.
    const { media_id } = uploaded.data as { media_id: string };
    const download = client.v3.merchantService.images.$id$;
    const { data } = await download.get({ id: media_id, responseType: "stream" });
    expect(await buffer(data)).toEqual(picture);
    expect((await send(media.upload, "cup.png")).data).toEqual(answer);
    expect((await send(media.video_upload, "cup.mp4")).data).toEqual(answer);
  });
});
