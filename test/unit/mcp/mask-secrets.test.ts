import { expect, test } from "vitest";
import { maskSecrets } from "../../../server/mcp/mask-secrets.ts";

const hidden = "(hidden)";

test.each([
  ["a session token by its name", { access_token: "eyJabc" }, { access_token: hidden }],
  ["all texts below a secret name", { session_key: { a: ["x", 1] } }, { session_key: { a: [hidden, 1] } }],
  ["the value of a secret header", [{ name: "Cookie", value: "a=b" }], [{ name: "Cookie", value: hidden }]],
  ["a key of an API", { payment_api_v3_key: "0123" }, { payment_api_v3_key: hidden }],
  ["a bearer token in a text", "sent Authorization Bearer abcdefgh1234", `sent Authorization Bearer ${hidden}`],
  ["a header line in a text", "GET /\nCookie: sid=1; x=2\nAccept: */*", `GET /\nCookie: ${hidden}\nAccept: */*`],
  ["a member of JSON in a text", '{"a":1,"session_key":"k\\"k"}', `{"a":1,"session_key":"${hidden}"}`],
  ["a pair of a query in a text", "/x?page=2&access_token=abc", `/x?page=2&access_token=${hidden}`],
  ["a key of Hearth", `key hearth_${"a".repeat(43)}`, "key hearth_…"],
  ["a private key", "-----BEGIN PRIVATE KEY-----\nAAA\n-----END PRIVATE KEY-----", hidden],
  ["a known secret wherever it stands", "console?x=known-secret", `console?x=${hidden}`],
])("hides %s", (_, value, masked) => {
  expect(maskSecrets<unknown>(value, ["known-secret"])).toEqual(masked);
});

test("keeps references to recorded secrets, numbers of orders and empty values", () => {
  const value = { token: "{{session:12}}", secret: "", out_trade_no: "T179", amount: 199, openid: null };
  expect(maskSecrets(value)).toEqual(value);
});
