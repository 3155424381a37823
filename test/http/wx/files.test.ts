/** Files of a program: uploads and downloads with their progress, picked files, its own file system. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  WxDownloadResult,
  WxUploadOptions,
  UploadProgress,
  WxUploadResult,
} from "../../../server/kit/wx/api/network.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { answeringServer, wxPhone } from "../../support/wx-phone.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** A logged-in person's `wx`, which uploads to the application server. */
async function uploader() {
  const { phone, wx } = await wxPhone(app, { login: true });
  const upload = (options: Partial<WxUploadOptions>) =>
    new Promise<WxUploadResult>((success, fail) => {
      wx.uploadFile({
        url: `${app.url}/api/uploads`,
        filePath: "",
        name: "[]",
        header: { Authorization: `Bearer ${phone.token}` },
        ...options,
        success,
        fail: ({ errMsg }) => fail(new Error(errMsg)),
      });
    });
  return { phone, wx, upload };
}

describe("wx.uploadFile", () => {
  it("uploads a picked file with its fields, and gives the reply as text", async () => {
    const { phone, wx, upload } = await uploader();
    phone.prompts.pick({ name: "dot.gif", content: pixel });
    const { tempFiles } = await wx.chooseMedia({ count: 1 });
    expect(tempFiles).toMatchObject([{ size: pixel.length, fileType: "image" }]);
    const { data, statusCode, errMsg } = await upload({
      filePath: tempFiles[0]?.tempFilePath ?? "",
      formData: { type: "avatar" },
    });
    expect([statusCode, errMsg]).toEqual([201, "uploadFile:ok"]);
    const { id } = JSON.parse(data) as { id: string };
    expect((await phone.request("GET", `/api/uploads/${id}`)).body).toMatchObject({ data: { type: "avatar" } });
  });

  it("uploads a file of the machine that runs the test", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "dot.gif");
    writeFileSync(path, pixel);
    const { upload } = await uploader();
    expect((await upload({ filePath: path })).statusCode).toBe(201);
  });

  it("reports its progress up to the whole body, and stops when it is aborted", async () => {
    const { wx } = await uploader();
    const filePath = `${wx.env.USER_DATA_PATH}/big.bin`;
    wx.getFileSystemManager().writeFileSync(filePath, new ArrayBuffer(1_000_000));
    await using server = await answeringServer((req, res) => void req.resume().on("end", () => res.end("taken")));
    const seen: UploadProgress[] = [];
    const data = await new Promise((resolve) => {
      const options = { url: server.url, filePath, name: "file" };
      const task = wx.uploadFile({ ...options, complete: (end) => resolve("data" in end && end.data) });
      task.onProgressUpdate((progress) => seen.push(progress));
    });
    expect(data).toBe("taken");
    expect(seen.length).toBeGreaterThan(2);
    const { totalBytesExpectedToSend: total = 0 } = seen[0] ?? {};
    expect(total).toBeGreaterThan(1_000_000);
    expect(seen.at(-1)).toEqual({ progress: 100, totalBytesSent: total, totalBytesExpectedToSend: total });
    const failure = await new Promise((fail) => {
      const task = wx.uploadFile({ url: server.url, filePath, name: "file", fail });
      task.onProgressUpdate(() => task.abort());
    });
    expect(failure).toEqual({ errMsg: "uploadFile:fail abort" });
  });
});

describe("wx.downloadFile", () => {
  it("keeps a temporary file that can be read, or the file that the path names", async () => {
    const { wx } = await uploader();
    await using server = await answeringServer((_req, res) => void res.end("content"));
    const progress: number[] = [];
    const download = (filePath?: string) =>
      new Promise<WxDownloadResult>((success) => {
        const task = wx.downloadFile({ url: `${server.url}/a.txt`, ...(filePath && { filePath }), success });
        task.onProgressUpdate((seen) => progress.push(seen.progress));
      });
    const { tempFilePath } = await download();
    expect(tempFilePath).toMatch(/^wxfile:\/\/tmp_\d+\.txt$/);
    const files = wx.getFileSystemManager();
    expect(files.readFileSync(tempFilePath, "utf8")).toBe("content");
    const kept = `${wx.env.USER_DATA_PATH}/kept.txt`;
    expect((await download(kept)).filePath).toBe(kept);
    expect(files.readFileSync(kept, "base64")).toBe(Buffer.from("content").toString("base64"));
    expect(progress.at(-1)).toBe(100);
  });

  it("succeeds with a status of 404, as the platform does", async () => {
    const { wx } = await uploader();
    const { statusCode } = await new Promise<WxDownloadResult>((success) => {
      wx.downloadFile({ url: `${app.url}/api/none`, success });
    });
    expect(statusCode).toBe(404);
  });
});
