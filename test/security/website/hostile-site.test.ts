import { expect, it } from "vitest";
import type { RequestPage } from "../../../server/contract/console/traffic/requests.ts";
import { patienceMs } from "../../support/eventually.ts";
import { launchHearth } from "../../support/process/launch.ts";

/** What a page of any site can send without being asked: no preflight goes before a form. */
const crossSite = {
  Origin: "https://evil.example",
  "Sec-Fetch-Site": "cross-site",
  "Content-Type": "multipart/form-data; boundary=x",
};
const pieces = ["Content-Disposition: form-data; name=", ";name=", "\r\nname: value", " "];
const heads = ["--x\r\nContent-Disposition: form-data; name=", "--another "];
const bodies = pieces.flatMap((piece) => heads.map((head) => (head + piece.repeat(128 * 1024)).slice(0, 128 * 1024)));

it("a form of 128 KB from another site, without any token, stops no service, and keeps nobody waiting", async () => {
  await using hearth = launchHearth();
  const { app, provider, model, console: address } = await hearth.ready();
  const before = await hearth.statuses();
  const headers = { Authorization: `Bearer ${new URL(address).searchParams.get("token")}` };
  for (const [service, url] of Object.entries({ app, provider, model })) {
    for (const [index, body] of bodies.entries()) {
      const path = `${service === "provider" ? "/sim" : ""}/form/${String(index)}`;
      const [asked, ready] = await Promise.all([
        fetch(url + path, { method: "POST", headers: crossSite, body }),
        fetch(`${url}/healthz`),
      ]);
      await asked.text();
      expect(ready.status, service).toBe(200);
      const wait = `${app}/console/api/requests/wait?service=${service}&path=${path}&timeout_ms=${String(patienceMs)}`;
      const { requests } = (await (await fetch(wait, { headers })).json()) as RequestPage;
      expect(requests, service).toHaveLength(1);
    }
  }
  expect(await hearth.statuses()).toEqual(before);
});
