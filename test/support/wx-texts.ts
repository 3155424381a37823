/** Rows of the platform's texts: what is done, and how it ends. */
import { expect, it } from "vitest";
import type { Phone } from "../../server/kit/phone/phone.ts";
import type { WxFailure, WxResult } from "../../server/kit/wx/create-wx.ts";
import type { Wx } from "../../server/kit/wx/wx.ts";
import type { TestApp } from "./app/test-app.ts";
import { wxPhone } from "./wx-phone.ts";

interface TextScene {
  readonly wx: Wx;
  readonly phone: Phone;
  /** Options with which a call by callbacks resolves. */
  readonly settled: (call: (options: never) => unknown, options: object) => Promise<WxResult | WxFailure>;
}
const settled: TextScene["settled"] = (call, options) =>
  new Promise((complete) => void call({ ...options, complete } as never));
export type TextRow = readonly [about: string, act: (scene: TextScene) => unknown, expected: object];

export function expectTexts(app: () => TestApp, rows: readonly TextRow[]): void {
  it.each(rows)("%s", async (_about, act, expected) => {
    const { wx, phone } = await wxPhone(app());
    const given = await Promise.resolve(act({ wx, phone, settled })).catch((error: unknown) => error);
    expect(given).toMatchObject(expected);
    if (given instanceof Error) expect(given.message).toBe((expected as WxFailure).errMsg);
  });
}
