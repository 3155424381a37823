/** The events of message push about subscription messages and media checks. */
import type { PushEvent, PushFields } from "./push-events.ts";

interface MediaCheck {
  readonly openid: string;
  readonly traceId: string;
  readonly suggest: string;
  readonly label: number;
  /** Version of the request. The first one has another result. */
  readonly version: 1 | 2;
}

/** Events about subscription messages. The XML has the list below an element of its own. */
function subscribeEvent(openid: string, kind: "Popup" | "Change" | "Sent", fields: PushFields, xml: PushFields) {
  const event = `subscribe_msg_${kind.toLowerCase()}_event`;
  return { event, openid, fields, xml: { [`SubscribeMsg${kind}Event`]: xml }, timeAsText: true } as const;
}

/** @param push sends an event */
export function createMiniProgramEvents(push: (event: PushEvent) => Promise<unknown>, appId: string) {
  return {
    /** A person has answered the pop-up. A list of one answer is an object in JSON. */
    async answered(openid: string, answers: Readonly<Record<string, string>>): Promise<void> {
      const list = Object.entries(answers).map(([TemplateId, SubscribeStatusString]) => ({
        TemplateId,
        SubscribeStatusString,
        PopupScene: "0",
      }));
      const [first] = list;
      if (!first) return;
      const xml = { List: list.map((one) => ({ ...one, PopupScene: 0 })) };
      await push(subscribeEvent(openid, "Popup", { List: list.length === 1 ? first : list }, xml));
    },

    /** A person no longer accepts a template, as on the platform's settings page. */
    async unsubscribed(openid: string, templateId: string): Promise<void> {
      const fields = { List: [{ TemplateId: templateId, SubscribeStatusString: "reject" }] };
      await push(subscribeEvent(openid, "Change", fields, fields));
    },

    async sent(openid: string, templateId: string, messageId: number): Promise<void> {
      const item = { TemplateId: templateId, MsgID: String(messageId), ErrorCode: "0", ErrorStatus: "success" };
      const xml = { List: [{ TemplateId: templateId, MsgID: messageId, ErrorCode: 0, ErrorStatus: "success" }] };
      await push(subscribeEvent(openid, "Sent", { List: [item] }, xml));
    },

    async mediaChecked({ openid, traceId, suggest, label, version }: MediaCheck): Promise<void> {
      const result = { suggest, label };
      const rest: PushFields =
        version === 2
          ? { version, detail: [{ strategy: "content_model", errcode: 0, ...result, prob: 90 }], result }
          : { isrisky: suggest === "risky" ? 1 : 0, extra_info_json: "", status_code: 0 };
      await push({ event: "wxa_media_check", openid, fields: { appid: appId, trace_id: traceId, ...rest } });
    },
  };
}
