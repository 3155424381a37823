/**
 * Open data: the vectors (contract: login, Open data: vectors), and round trips by the published rules with nothing but
 * node's own crypto.
 */
import { createDecipheriv, createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encryptOpenData, newSessionKey, signRawData, signSession } from "../../server/provider/identity/open-data.ts";

const sessionKey = "ABEiM0RVZneImaq7zN3u/w==";
const iv = Buffer.from("Dx4tPEtaaXiHlqW0w9Lh8A==", "base64");
const appid = "wxd930ea5d5a258f4f";
const watermark = { timestamp: 1767225600, appid };

/** As a server decrypts: AES-128-CBC, PKCS#7, everything base64. */
function decrypt(encryptedData: string, ivText: string, key: string): string {
  const decipher = createDecipheriv("aes-128-cbc", Buffer.from(key, "base64"), Buffer.from(ivText, "base64"));
  return Buffer.concat([decipher.update(Buffer.from(encryptedData, "base64")), decipher.final()]).toString("utf8");
}

describe("published vectors", () => {
  it("V1: encrypts a phone number", () => {
    const plain = { phoneNumber: "13580006666", purePhoneNumber: "13580006666", countryCode: "86", watermark };
    expect(encryptOpenData(plain, sessionKey, iv)).toEqual({
      iv: "Dx4tPEtaaXiHlqW0w9Lh8A==",
      encryptedData:
        "tEQy9BbTAvCTkexshTtv3CxYK8Aq7+7o3qMgmahJaf6LA9fwFSTELgaMRCzYsrUggkGfG9k964NNR6z6QGRz+SzecxwBj1Um6iUkQN0ZCnLCL5VLrCGVBfryfI1yGheMCZuYv+aEA1CAEt6Gz/erz6GStiD+zpvEWOqhsquCs8P5QyjlZustCsuN2B2iWremq877BLMi+nNtcGr7ldLwKw==",
    });
  });

  it("V2: encrypts user info with its ids", () => {
    const plain = {
      openId: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
      nickName: "Hearth",
      gender: 0,
      language: "zh_CN",
      city: "",
      province: "",
      country: "",
      avatarUrl: "https://example.invalid/a.png",
      unionId: "oHearthUnion0000000000000001",
      watermark,
    };
    expect(encryptOpenData(plain, sessionKey, iv).encryptedData).toBe(
      "1u57dEvtWnEAYHegrqiO/M3HGVfQEVUJ+5wW93GJj4DeMYpUWcRE/Asyzk/q6V4DwdyZNe649GMEn4S5Ik32DIVRTBoziScf49stagd5V4IEdawMDec7n0gzJGlCPGq4pPlGtIsXTKCCceI5ivneo/j4Mrk0d/asNnwmDqmfs43QXnKoDxlt+pnxTkGOh1DXb0dHiH1EOxktnJ3xndaj/snX95e3btyK5QPd/aKtXO7FAeFznp1O6jAJWCmXkzSLC98Fsagi/8xCC0YFhPb7/9h6+GoXIg0ILY6UNO8w0tYxTtqWgACB0CPpdMstLjFYEfDfkdxcxNLDYz0OKorpYYa3SWJZJoI/mSWHEuO9w1k6hfqKwvu5RLbI2sFFHOB2",
    );
  });

  it("V3: signs raw data", () => {
    const rawData =
      '{"nickName":"Hearth","gender":0,"language":"zh_CN","city":"","province":"","country":"","avatarUrl":"https://example.invalid/a.png"}';
    expect(signRawData(rawData, sessionKey)).toBe("2484a36b465d9be3f78f1d61d7925d2ca50d2d10");
  });

  it("V4: signs a session", () => {
    expect(signSession(sessionKey)).toBe("cb4ddd2bfeb25111be82a9e5d42e49c7da1f2ecb281cb3f8c188dbb12d9c0798");
  });

  it("V5: signs the platform's own sample", () => {
    const rawData =
      '{"nickName":"Band","gender":1,"language":"zh_CN","city":"Guangzhou","province":"Guangdong","country":"CN","avatarUrl":"http://wx.qlogo.cn/mmopen/vi_32/1vZvI39NWFQ9XM4LtQpFrQJ1xlgZxx3w7bQxKARol6503Iuswjjn6nIGBiaycAjAtpujxyzYsrztuuICqIM5ibXQ/0"}';
    expect(signRawData(rawData, "HyVFkGl5F5OQWJZZaNzBBg==")).toBe("75e81ceda165f4ffa64f4068af58c64b8f54b88c");
  });
});

describe("round trips", () => {
  it("any user info decrypts to what was encrypted, under any key", () => {
    const userInfo = fc.record({
      nickName: fc.string({ unit: "binary", maxLength: 200 }),
      avatarUrl: fc.webUrl(),
      gender: fc.constantFrom(0, 1, 2),
      city: fc.string({ unit: "grapheme" }),
    });
    fc.assert(
      fc.property(userInfo, (info) => {
        const key = newSessionKey();
        expect(Buffer.from(key, "base64")).toHaveLength(16);
        const sealed = encryptOpenData({ ...info, watermark }, key);
        expect(Buffer.from(sealed.iv, "base64")).toHaveLength(16);
        expect(decrypt(sealed.encryptedData, sealed.iv, key)).toBe(JSON.stringify({ ...info, watermark }));
      }),
    );
  });

  it("any phone number decrypts to what was encrypted, and under no other key", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{5,20}$/), fc.stringMatching(/^[1-9]\d{0,3}$/), (number, countryCode) => {
        const plain = { phoneNumber: number, purePhoneNumber: number, countryCode, watermark };
        const { encryptedData, iv: ivText } = encryptOpenData(plain, sessionKey);
        expect(JSON.parse(decrypt(encryptedData, ivText, sessionKey))).toEqual(plain);
        let stolen: unknown;
        try {
          stolen = JSON.parse(decrypt(encryptedData, ivText, newSessionKey()));
        } catch {
          stolen = undefined;
        }
        expect(stolen).toBeUndefined();
      }),
    );
  });

  it("any raw data has the sha1 of itself and the undecoded key, any key the HMAC of nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (rawData) => {
        const key = newSessionKey();
        expect(signRawData(rawData, key)).toBe(createHash("sha1").update(`${rawData}${key}`, "utf8").digest("hex"));
        expect(signSession(key)).toBe(createHmac("sha256", Buffer.from(key, "utf8")).digest("hex"));
      }),
    );
  });
});
