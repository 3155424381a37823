/** The certificate by which the real host knows a merchant on the calls that move money back. */
import type { IncomingMessage } from "node:http";
import { callerCertificate } from "../../../http/connection/peer/caller.ts";
import type { WireReply } from "../calls/answer-call.ts";
import type { Keys } from "../keys/keys.ts";
import { communicationFailure } from "./write-reply.ts";

/** The host's web server refuses such connections before the API sees the call; these are its pages. */
const webServerReply = (reason: string): WireReply => ({
  status: 400,
  headers: { "Content-Type": "text/html" },
  body: `<html><head><title>400 ${reason}</title></head><body><h1>400 Bad Request</h1>${reason}</body></html>`,
});

const missing = { reply: webServerReply("No required SSL certificate was sent"), code: "NO_CERTIFICATE" };
const unknown = { reply: webServerReply("The SSL certificate error"), code: "FOREIGN_CERTIFICATE" };
const anothers = { reply: communicationFailure("certificate not match"), code: "CERTIFICATE_NOT_MATCH" };

/** The refusal of a call without the certificate of the merchant that it names; undefined for one that brings it. */
export async function refuseCertificate(req: IncomingMessage, mchId: string, keys: Pick<Keys, "certified">) {
  const certificate = callerCertificate(req);
  if (!certificate) return missing;
  const owners = await keys.certified(certificate);
  if (owners.length === 0) return unknown;
  return owners.includes(mchId) ? undefined : anothers;
}
