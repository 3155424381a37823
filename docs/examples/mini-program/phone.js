/** The platform as far as the mini-program uses it: in place of a phone, with a simulated user at it. */
const post = async (url) => (await fetch(url, { method: "POST" })).json();

/** @param user address of the user at the simulator, `…/sim/users/NAME` */
export function createPhone(user) {
  const kept = new Map();
  return {
    wx: {
      login: ({ success, fail }) => post(`${user}/login`).then(success, fail),
      request: ({ url, method, header, data, success, fail }) =>
        fetch(url, { method, headers: header, body: data && JSON.stringify(data) })
          .then(async (reply) =>
            success({
              statusCode: reply.status,
              header: Object.fromEntries(reply.headers),
              data: await reply.json().catch(() => ""),
            }),
          )
          .catch(({ message }) => fail({ errMsg: message })),
      getStorageSync: (key) => kept.get(key) ?? "",
      setStorageSync: (key, value) => kept.set(key, value),
    },
    page: {
      buttonPressed(step) {
        console.log(`the user presses ${step}`);
        return post(`${user}/${{ getUserInfo: "user-info", getPhoneNumber: "phone-number" }[step]}`);
      },
    },
  };
}
