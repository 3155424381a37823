/** The tests by which an operation of the API for servers may be called exact. */
import type { Evidence, TestReference } from "./operation-evidence.ts";

const sdk = (title: string): TestReference => ["contract/mini-program-sdk.test.ts", title];
const byToken = sdk("node-easywechat makes every call of the API for servers, with its own token");
const tokens = sdk("node-easywechat gets a token by itself, a stable one: %s");
const sessions = (title: string): TestReference => ["http/provider/provider-sessions.test.ts", title];
const credentials = (title: string): TestReference => ["http/provider/provider-credentials.test.ts", title];
const miniProgram = (title: string): TestReference => ["http/provider/mini-program/mini-program.test.ts", title];
const shipping = (title: string): TestReference => ["http/payments/shipping/shipping.test.ts", title];

const login: Evidence = {
  refusals: sessions("names what is missing before what is wrong, in the documented order"),
  lives: [
    sdk("node-easywechat logs a user in, by its own call"),
    sessions("gives openid and session_key for a code, and no unionid before the user has consented"),
  ],
};
const token: Evidence = {
  refusals: credentials("names what is missing before what is wrong"),
  lives: [
    tokens,
    credentials("gives a new token at each call; the old one works on for five minutes, then gets 40001"),
  ],
};
const stableToken: Evidence = {
  refusals: credentials("answers 43002 for GET, 44002 for an empty body, 47001 for one that is no JSON"),
  lives: [tokens, credentials("gives the same token while it has more than five minutes left; near its end both work")],
};
const phone: Evidence = {
  refusals: credentials("answers 40029 for an unknown, an expired and a login code"),
  lives: [byToken, credentials("gives the number behind a code, once")],
};
const checked = sessions(
  "is confirmed by checksession: 0 for the current one, 87009 for another, 40003 for an unknown openid",
);
const session: Evidence = { refusals: checked, lives: [byToken, checked] };
const reset: Evidence = {
  refusals: checked,
  lives: [byToken, sessions("is replaced by resetusersessionkey, which answers the new one")],
};
const ofMiniProgram = (title: string): Evidence => ({
  refusals: miniProgram("asks for POST, an access token and a body: %s"),
  lives: [byToken, miniProgram(title)],
});
const check = ofMiniProgram("of the text %j with %j answers by the rules");
const ofShipping = (title: string): Evidence => ({
  refusals: shipping("take faults, and require an access token"),
  lives: [byToken, shipping(title)],
});
const trade = ofShipping("tell what the platform manages, and set the page of messages");

export const evidenceOfServer: Readonly<Record<string, Evidence>> = {
  "GET /sns/jscode2session": login,
  "GET /cgi-bin/token": token,
  "POST /cgi-bin/stable_token": stableToken,
  "POST /wxa/business/getuserphonenumber": phone,
  "GET /wxa/checksession": session,
  "GET /wxa/resetusersessionkey": reset,
  "POST /wxa/getwxacode": ofMiniProgram("of get has the path's query, the colour and a transparent ground"),
  "POST /wxa/getwxacodeunlimit": ofMiniProgram(
    "of getUnlimited is a PNG of the wanted size that opens the page with its scene",
  ),
  "POST /cgi-bin/wxaapp/createwxaqrcode": ofMiniProgram("of createQRCode opens as a QR code"),
  "POST /wxa/generatescheme": ofMiniProgram("of %s opens the page until it expires"),
  "POST /wxa/genwxashortlink": ofMiniProgram("of genwxashortlink opens the page with its query"),
  "POST /cgi-bin/message/subscribe/send": ofMiniProgram(
    "reaches a person once for each acceptance, and can be read there",
  ),
  "POST /wxa/msg_sec_check": check,
  "POST /wxa/media_check_async": ofMiniProgram("of a picture is listed with its result"),
  "POST /wxa/sec/order/notify_confirm_receive": ofShipping("remind the buyer of a shipped order once"),
  "POST /wxa/sec/order/set_msg_jump_path": trade,
  "POST /wxa/sec/order/is_trade_managed": trade,
  "POST /wxa/sec/order/is_trade_management_confirmation_completed": trade,
};
