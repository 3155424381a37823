import { createHearthClient, sendByWx } from "./hearth-client.ts";

/**
 * What a page of the mini-program does when it opens.
 * @param page `buttonPressed(step)` shows a button of this open-type and resolves with its event.detail
 * @returns the user's articles, after as many steps of the login as the server asked for
 * @throws StepRefused when the user refuses one: show why it is needed, and a button to try again
 */
export async function openArticles(baseUrl, wx, page) {
  const client = createHearthClient(baseUrl, {
    login: () => new Promise((resolve, reject) => wx.login({ success: ({ code }) => resolve(code), fail: reject })),
    getUserInfo: () => page.buttonPressed("getUserInfo"), // the button's event.detail
    getPhoneNumber: () => page.buttonPressed("getPhoneNumber"),
    send: sendByWx(wx),
    storage: { get: (key) => wx.getStorageSync(key), set: (key, value) => wx.setStorageSync(key, value) },
  });
  const { status, body } = await client.request("GET", "/api/articles");
  if (status !== 200) throw new Error(body.Message); // of the request, or of a step that the server could not carry out
  return body.data;
}
