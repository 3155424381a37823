/** Devices of a local network, whose part the addresses of loopback beyond 127.0.0.1 play. */
import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import type { LanAccessView, LanInterface } from "../../../server/contract/console/machine/lan-access-endpoints.ts";
import { consoleToken } from "./console-token.ts";

/** Where this machine is reached in that network. */
export const lanAddress = "127.0.0.2";
export const wifi: LanInterface = { name: "wifi0", address: lanAddress, network: `${lanAddress}/29` };

/** Calls the switch of a run. */
export async function lanControl(url: string, method: string, path = "", body?: unknown) {
  const reply = await fetch(`${url}/console/api/lan-access${path}`, {
    method,
    headers: { Authorization: `Bearer ${consoleToken}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const content = await reply.text();
  return { status: reply.status, body: (content === "" ? {} : JSON.parse(content)) as LanAccessView };
}

interface Call {
  readonly port: number;
  readonly path?: string;
  /** Of the device. */
  readonly from?: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

export interface LanReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** What the device is to send back from now on, if anything. */
  readonly cookie: string | undefined;
}

/** Calls as a device would. */
export function callFrom({
  port,
  path = "/",
  from = "127.0.0.3",
  method = "GET",
  headers = {},
  body,
}: Call): Promise<LanReply> {
  return new Promise((resolve, reject) => {
    request(
      { host: lanAddress, port, path, method, headers: { connection: "close", ...headers }, localAddress: from },
      (reply) => {
        const [cookie] = reply.headers["set-cookie"]?.[0]?.split(";", 1) ?? [];
        text(reply).then(
          (content) => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: content, cookie }),
          reject,
        );
      },
    )
      .on("error", reject)
      .end(body);
  });
}

/** The path parameters of a device that has called, another one for each number. */
export async function waitingDevice({ url, port }: { readonly url: string; readonly port: number }, number: number) {
  const from = `127.0.1.${String(number)}`;
  await lanControl(url, "PATCH", "", { enabled: true, interface: wifi.name, services: ["app"] });
  await callFrom({ port, from });
  const { waiting } = (await lanControl(url, "GET")).body;
  return { params: { id: waiting.find(({ address }) => address === from)?.id ?? "" } };
}
