/** Tasks about notifications and the receivers of them. */
import { freePort } from "../support/process/free-port.ts";
import type { AgentTask } from "./task.ts";

/** A receiver with a gap: it believes everybody. With `STRICT=1` it refuses what is not signed at all, or wrongly. */
const receiver = `import { createHash } from "node:crypto";
import { createServer } from "node:http";
const reply = (code) => \`<xml><return_code><![CDATA[\${code}]]></return_code></xml>\`;
const fieldsOf = (xml) => [...xml.matchAll(/<(\\w+)>(?:<!\\[CDATA\\[)?([^<\\]]*)(?:\\]\\]>)?<\\/\\1>/g)].map(([, name, text]) => [name, text]);
function isSigned(xml) {
  const fields = Object.fromEntries(fieldsOf(xml));
  const text = Object.entries(fields).filter(([name, value]) => name !== "sign" && value !== "").sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => \`\${name}=\${value}\`).join("&");
  return createHash("md5").update(\`\${text}&key=\${process.env.API_KEY}\`).digest("hex").toUpperCase() === fields.sign;
}
createServer(async (req, res) => {
  let xml = "";
  for await (const part of req) xml += part;
  res.end(reply(process.env.STRICT === "1" && !isSigned(xml) ? "FAIL" : "SUCCESS"));
}).listen(Number(process.argv[2]), "127.0.0.1", () => console.log("listening"));
`;

/** A test of the receiver at the port that it starts on. */
const forgedTest = `import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { promisify } from "node:util";
test("the receiver refuses a forged notification", async () => {
  const port = process.env.PORT;
  const receiver = spawn(process.execPath, ["receiver.js", port]);
  try {
    await once(receiver.stdout, "data");
    const url = \`http://127.0.0.1:\${port}/notify\`;
    await promisify(execFile)("hearth", ["check-receiver", "--notify-url", url, "--version", "v2", "--only", "forged-wrong-key"]);
  } finally {
    receiver.kill();
  }
});
`;

export const notificationTasks: Readonly<Record<string, AgentTask>> = {
  forgedTest: {
    text: "receiver.js takes notifications of WeChat Pay, version 2, at the port of its argument. Write forged.test.js for node --test: a failing test for a forged notification. It gets a free port in PORT.",
    prepare: ({ write }) => Promise.resolve(write("receiver.js", receiver)),
    async solve({ run, write }) {
      await run("hearth check-receiver --help | head -20");
      await run("hearth check-receiver --list | grep -A1 ^forged-w");
      write("forged.test.js", forgedTest);
      return (await run(`PORT=${String(await freePort())} node --test forged.test.js | tail -8`)).output;
    },
    // The test fails for the receiver as it is, and passes once the receiver verifies signatures.
    async isDone({ run, ofPlatform }) {
      const { api_v2_key } = await ofPlatform("/sim/credentials");
      const port = { PORT: String(await freePort()), API_KEY: String(api_v2_key) };
      const weak = await run("node --test forged.test.js", port);
      const strict = await run("node --test forged.test.js", { ...port, STRICT: "1" });
      return weak.code !== 0 && weak.output.includes("forged") && strict.code === 0;
    },
  },

  ownReceiver: {
    text: "Does Hearth's own server refuse a forged notification of its newest order? Answer yes or no, with the reason that its event gives.",
    prepare: ({ must }) => must("hearth order --amount 100 && hearth pay last"),
    async solve({ run }) {
      const { output } = await run("hearth notify last --forged");
      const event = await run("hearth events --type payment.refused --limit 1");
      return `${output.startsWith("refused") ? "yes" : "no"}: ${/"reason":"(\w+)"/.exec(event.output)?.[1] ?? ""}`;
    },
    async isDone({ ofApp }, answer) {
      const { events } = await ofApp("/console/api/events?type=payment.refused");
      return (events as unknown[]).length > 0 && /^yes.*bad_signature/i.test(answer);
    },
  },

  twice: {
    text: "Send the notification of the newest paid order twice. How often has the server settled this order? Answer with the number.",
    prepare: ({ must }) => must("hearth order --amount 100 && hearth pay last"),
    async solve({ run }) {
      await run("hearth notify last --again");
      const { output } = await run("hearth events --type payment.settled --json");
      return String((JSON.parse(output) as unknown[]).length);
    },
    async isDone({ ofApp }, answer) {
      const { requests } = await ofApp("/console/api/requests?path=/api/payments/notifications");
      return (requests as unknown[]).length === 3 && answer.trim() === "1";
    },
  },
};
