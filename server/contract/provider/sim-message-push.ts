/** The control routes for message push: the receiver of an app's events, and the events that were sent to it. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";

const control = { access: "control", tag: "mini-program", status: 200 } as const;

export const pushFormat = z.enum(["JSON", "XML"]);
/** `safe`: the platform encrypts each message. */
export const pushMode = z.enum(["plain", "safe"]);
export const pushState = z.enum(["pending", "accepted", "given_up"]);

const exampleKey = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG";

const receiverFields = {
  url: z
    .url({ protocol: /^https?$/ })
    .max(512)
    .meta({ examples: ["http://127.0.0.1:8080/wechat"] })
    .describe("Address of your server."),
  format: pushFormat,
  mode: pushMode.describe("`plain`: messages as they are. `safe`: encrypted messages."),
};
const secretFields = {
  token: z
    .string()
    .regex(/^[A-Za-z0-9]{3,32}$/, "must be 3 to 32 letters and digits")
    .meta({ examples: ["hearthToken"] })
    .describe("Token with which the platform signs. Default: the stored one."),
  encoding_aes_key: z
    .string()
    .regex(/^[A-Za-z0-9]{43}$/, "must be 43 letters and digits")
    .meta({ examples: [exampleKey] })
    .describe("EncodingAESKey, which encrypts messages in safe mode. Default: the stored one."),
};

/** Without the secrets, which no reply contains. */
const simPushReceiverSchema = z.object(receiverFields);
export type SimPushReceiver = z.infer<typeof simPushReceiverSchema>;
const simPushSecretsSchema = z.object(secretFields);
export type SimPushSecrets = z.infer<typeof simPushSecretsSchema>;
export const simPushReceiverInputSchema = z.strictObject({
  ...receiverFields,
  ...simPushSecretsSchema.partial().shape,
});
export type SimPushReceiverInput = z.infer<typeof simPushReceiverInputSchema>;

const receiver = { ...control, path: "/sim/message-push" } as const;

/** Returns the receiver of message push without its token and EncodingAESKey. */
export const getSimPushReceiver = endpoint({
  ...receiver,
  id: "getSimPushReceiver",
  method: "GET",
  data: z.object({ receiver: simPushReceiverSchema.nullable() }),
});

/**
 * Sets the receiver of message push. The platform first sends a GET with `echostr` to it. A receiver that does not
 * return `echostr` is not stored. The first receiver needs a token and an EncodingAESKey; later ones keep those that the
 * body omits.
 */
export const putSimPushReceiver = endpoint({
  ...receiver,
  id: "putSimPushReceiver",
  method: "PUT",
  body: simPushReceiverInputSchema,
  data: simPushReceiverSchema,
  errors: [409],
});

/** Removes the receiver of message push. Events are then not sent. */
export const deleteSimPushReceiver = endpoint({
  ...receiver,
  id: "deleteSimPushReceiver",
  method: "DELETE",
  status: 204,
});

const hexId = z.string().optional();
export const simPushAttemptSchema = z.object({
  at: z.iso.datetime(),
  duration_ms: z.int(),
  url: z.string().describe("Address with the query that the platform signed."),
  body: z.string(),
  status: z.int().describe("HTTP status of the reply. 0: no reply."),
  reply: z.string(),
  problem: z.string().optional().describe("Why the receiver has not accepted the message."),
  trace_id: hexId,
  span_id: hexId,
  parent_id: hexId,
});

export const simPushSchema = z.object({
  id: z.int(),
  event: z.string(),
  openid: z.string().describe("Value of FromUserName."),
  message: z.string().describe("Message before encryption."),
  state: pushState,
  created_at: z.iso.datetime(),
  next_attempt_at: z.iso.datetime().nullable(),
  attempts: z.array(simPushAttemptSchema),
});
export type SimPush = z.infer<typeof simPushSchema>;

/** Lists the newest 100 messages of message push with their attempts, newest first. */
export const listSimPushes = endpoint({
  ...control,
  id: "listSimPushes",
  method: "GET",
  path: "/sim/pushes",
  data: z.array(simPushSchema),
});

/** Sends an event that only the platform can cause. */
export const sendSimPush = endpoint({
  ...control,
  id: "sendSimPush",
  method: "POST",
  path: "/sim/pushes",
  body: z.strictObject({
    event: z
      .literal("trade_manage_remind_access_api")
      .describe("The platform reminds the app to upload shipping information."),
  }),
  data: simPushSchema,
  errors: [409],
});

/** Sends a message once more and returns it with the attempt. */
export const replaySimPush = endpoint({
  ...control,
  id: "replaySimPush",
  method: "POST",
  path: "/sim/pushes/{id}/replay",
  params: z.object({ id: z.coerce.string() }),
  data: simPushSchema,
  errors: [404, 409],
});
