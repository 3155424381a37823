/** Phones with `wx` against a test's own application server. */
import { createControlCall } from "../../server/kit/control-call.ts";
import { createPhone, type Phone, type PhoneOptions } from "../../server/kit/phone/phone.ts";
import { createWx } from "../../server/kit/wx/create-wx.ts";
import type { Wx, WxOptions } from "../../server/kit/wx/wx.ts";
import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { TestApp } from "./app/test-app.ts";

let named = 0;

/** A person whom no other test knows, whose program has not been opened before. */
export async function wxPhone(
  app: TestApp,
  options: WxOptions & PhoneOptions = {},
): Promise<{ readonly phone: Phone; readonly wx: Wx }> {
  const { login = false, ...wxOptions } = options;
  const phone = await createPhone(`wx-${String(++named)}`, app.url, createControlCall(app.provider.url), { login });
  return { phone, wx: createWx(phone, wxOptions) };
}

/** A server that answers as the test says. */
export async function answeringServer(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
