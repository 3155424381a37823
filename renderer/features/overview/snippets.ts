/** Ready-made client code with the addresses of this run. */
import type { Overview } from "../../../server/contract/console/console.ts";

type Addresses = Overview["addresses"];

export const curlSnippet = ({ app, provider }: Addresses): string => `APP=${app}
ADA=${provider}/sim/users/ada

# 1. the client's login gives a code
CODE=$(curl -s -X POST $ADA/login \\
  | sed 's/.*"code":"\\([^"]*\\)".*/\\1/')

# 2. the code becomes a session token
TOKEN=$(curl -s $APP/api/sessions -d code=$CODE \\
  | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

# 3. a business call: 401, WWW-Authenticate: getUserInfo
curl -i $APP/api/articles -H "Authorization: Bearer $TOKEN"`;

export const fetchSnippet = ({ app, provider }: Addresses): string => `const post = (url, body, token) =>
  fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token && { authorization: \`Bearer \${token}\` }),
    },
    body: JSON.stringify(body ?? {}),
  }).then((reply) => reply.json());

const app = "${app}";
const ada = "${provider}/sim/users/ada";
const { code } = await post(\`\${ada}/login\`);
const { status } = await post(\`\${app}/api/sessions\`, { code });
const token = status.access_token;

const info = await post(\`\${ada}/user-info\`);
await post(\`\${app}/api/userinfos\`, info, token);
const phone = await post(\`\${ada}/phone-number\`);
await post(\`\${app}/api/phonenumbers\`, phone, token);

console.log(await post(\`\${app}/api/articles\`, { title: "Hello" }, token));`;

export const wxSnippet = ({ app }: Addresses): string => `const app = "${app}";

wx.login({
  success: ({ code }) =>
    wx.request({
      url: \`\${app}/api/sessions\`,
      method: "POST",
      data: { code },
      success: ({ data }) => listArticles(data.status.access_token),
    }),
});

function listArticles(token) {
  wx.request({
    url: \`\${app}/api/articles\`,
    header: { Authorization: \`Bearer \${token}\` },
    success: ({ statusCode, header, data }) => {
      if (statusCode === 200) return console.log(data.data);
      // The spelling differs by platform. The value names the
      // button to show: getUserInfo or getPhoneNumber.
      const step = Object.keys(header).find((name) => /^www-authenticate$/i.test(name));
      console.log(statusCode, "next step:", header[step]);
    },
  });
}`;

export const ollamaSnippet = (model: string): string => `import { Ollama } from "ollama";

const ollama = new Ollama({ host: "${model}" });
const { models } = await ollama.list();

const answer = await ollama.chat({
  model: models[0].name,
  messages: [{ role: "user", content: "What is Hearth?" }],
  stream: true,
});
for await (const part of answer) {
  process.stdout.write(part.message.content);
}`;

export const openaiSnippet = (model: string): string => `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${model}/v1", apiKey: "any" });
const { data } = await client.models.list();

const stream = await client.chat.completions.create({
  model: data[0].id,
  messages: [{ role: "user", content: "What is Hearth?" }],
  stream: true,
});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? "");
}`;

export const paySnippet = ({ provider, app }: Addresses): string => `import { Wechatpay } from "wechatpay-axios-plugin";

const keys = await (await fetch("${provider}/sim/credentials")).json();
const pay = new Wechatpay({
  baseURL: "${provider}/",
  mchid: keys.mch_id,
  serial: keys.merchant_serial,
  privateKey: keys.merchant_private_key,
  certs: { [keys.platform_serial]: keys.platform_certificate },
  secret: keys.api_v2_key,
});

const { data } = await pay.v3.pay.transactions.native.post({
  appid: keys.app_id,
  mchid: keys.mch_id,
  description: "Tea",
  out_trade_no: "T" + Date.now(),
  notify_url: "${app}/api/payments/notifications",
  amount: { total: 100 },
});
console.log(data.code_url);`;
