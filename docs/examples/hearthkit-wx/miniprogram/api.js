/** The program's calls of its server. A 401 names the next step of the login. */
const authorization = () => ({ Authorization: `Bearer ${wx.getStorageSync("token")}` });
const addressOf = (path) => getApp().globalData.server + path;

const send = (method, path, data) =>
  new Promise((success, fail) => {
    wx.request({ url: addressOf(path), method, data, header: authorization(), success, fail });
  });

/** Clients spell header names differently. */
const stepOf = ({ header }) => {
  const name = Object.keys(header).find((spelling) => spelling.toLowerCase() === "www-authenticate");
  return /^get(UserInfo|PhoneNumber)$/.test(header[name]) ? header[name] : "login";
};

async function logIn() {
  const { code } = await wx.login();
  const { data } = await send("POST", "/api/sessions", { code });
  wx.setStorageSync("token", data.status.access_token);
}

/** Returns the server's data. Throws an error with a `step` when the page has to show a button, and another for a refusal. */
export async function call(method, path, data) {
  let reply = await send(method, path, data);
  if (reply.statusCode === 401 && stepOf(reply) === "login") {
    await logIn();
    reply = await send(method, path, data);
  }
  if (reply.statusCode === 401) throw Object.assign(new Error(stepOf(reply)), { step: stepOf(reply) });
  if (reply.statusCode >= 400) throw new Error(reply.data.Message);
  return reply.data.data;
}

/** Sends what a button's handler got. */
export const sendDetail = (type, detail) =>
  call("POST", type === "getuserinfo" ? "/api/userinfos" : "/api/phonenumbers", detail);

export const upload = (filePath, onProgress) =>
  new Promise((success, fail) => {
    const task = wx.uploadFile({
      url: addressOf("/api/uploads"),
      filePath,
      name: "[]",
      formData: { type: "avatar" },
      header: authorization(),
      success({ data }) {
        const { id, err_msg } = JSON.parse(data);
        if (id === undefined) fail(new Error(err_msg));
        else success(id);
      },
      fail,
    });
    task.onProgressUpdate(({ progress }) => onProgress(progress));
  });
