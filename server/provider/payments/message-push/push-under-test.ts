/** Sends what a check tries on the receiver of message push: messages and verifications, genuine and forged. */
import type { NotificationReply } from "../notifier/post-notification.ts";
import { problemOf, pushRequest, verificationRequest } from "./post-push.ts";
import { originalId, writePushMessage } from "./push-events.ts";
import type { PushReceiverRow } from "./push-tables.ts";

/** A message, or the GET with `echostr`, as the platform sends it. */
export type PushKind = "message" | "verification";
/** `wrong_token`: signed with another token. `unsigned`: without signatures. `changed`: another text behind the signature. */
export type PushForgery = "wrong_token" | "unsigned" | "changed";

interface PushRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly method?: "GET";
}

export interface TriedPush {
  readonly request: string;
  readonly reply: NotificationReply;
  /** The receiver took it for the platform's. */
  readonly isTaken: boolean;
}

export type PushUnderTest = ReturnType<typeof createPushUnderTest>;

interface Deps {
  readonly receiver: PushReceiverRow;
  readonly appId: string;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly post: (request: PushRequest) => Promise<NotificationReply>;
}

export function createPushUnderTest({ receiver, appId, now, post }: Deps) {
  const { format, mode } = receiver;

  function message(at: number, token: string): PushRequest {
    const openid = originalId(appId);
    const event = { event: "trade_manage_remind_access_api", openid, fields: { msg: "Receiver check-up" } };
    return pushRequest(
      { ...receiver, token },
      appId,
      { openid, message: writePushMessage(event, format, appId, at) },
      at,
    );
  }

  return {
    mode,

    /** The possible forgeries. A message in plain mode has no signature over its text. */
    forgeriesOf: (kind: PushKind): readonly PushForgery[] =>
      kind === "message" && mode === "safe" ? ["wrong_token", "unsigned", "changed"] : ["wrong_token", "unsigned"],

    async try(kind: PushKind, forgery?: PushForgery): Promise<TriedPush> {
      const at = now();
      const token = forgery === "wrong_token" ? `${receiver.token}X` : receiver.token;
      if (kind === "verification") {
        const { echostr, url } = verificationRequest({ ...receiver, token }, at);
        const request = forged({ url, headers: {}, body: "", method: "GET" }, forgery);
        const reply = await post(request);
        const isTaken = reply.kind === "answered" && reply.status === 200 && reply.body === echostr;
        return { request: `GET ${request.url}`, reply, isTaken };
      }
      const request = forged(message(at, token), forgery, () => message(at, token).body);
      const reply = await post(request);
      return { request: request.body, reply, isTaken: problemOf(reply) === undefined };
    },
  };
}

/** @param otherBody of the same message, encrypted once more: the signature is of the first */
function forged(request: PushRequest, forgery: PushForgery | undefined, otherBody?: () => string): PushRequest {
  if (forgery === "changed" && otherBody) return { ...request, body: otherBody() };
  if (forgery !== "unsigned") return request;
  const url = new URL(request.url);
  for (const name of ["signature", "msg_signature"]) url.searchParams.delete(name);
  return { ...request, url: url.href };
}
