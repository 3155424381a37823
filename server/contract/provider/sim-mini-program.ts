/** The control routes for what an app's server asks of the mini-program platform: codes and links, messages, content. */
import { z } from "zod";
import { list } from "../bounded-lists.ts";
import { endpoint } from "../endpoint.ts";

const control = { access: "control", tag: "mini-program", status: 200 } as const;
const person = { ...control, params: z.object({ name: z.string() }) } as const;

export const envVersion = z.enum(["release", "trial", "develop"]);
const templateId = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .meta({ examples: ["order-paid"] });

/** The start parameters of the mini-program, as its `onLaunch` gets them. */
export const simLaunchSchema = z.object({
  path: z.string().describe("The page, without a slash in front; empty: the first page."),
  query: z.record(z.string(), z.string()).describe("A code with a scene has it here, percent-encoded, as `scene`."),
  scene: z
    .int()
    .describe("The platform's number of the way in: 1047 a mini-program code, 1011 a QR code, 1065 a scheme …"),
  env_version: envVersion,
});
export type SimLaunch = z.infer<typeof simLaunchSchema>;

/** Opens the mini-program by the text of a code or by a link, as the person's phone does. */
export const simLaunch = endpoint({
  ...person,
  id: "simLaunch",
  method: "POST",
  path: "/sim/users/{name}/launches",
  body: z.strictObject({
    link: z
      .string()
      .min(1)
      .max(2_048)
      .meta({ examples: ["https://wxaurl.cn/…"] })
      .describe("Content of the code, or the link."),
  }),
  data: simLaunchSchema,
  errors: [404, 410],
});

/** A template of a subscription message; its content is text with places such as `{{thing1.DATA}}`. */
export const simTemplateSchema = z.object({ template_id: templateId, title: z.string(), content: z.string() });

/** Answers the templates of subscription messages. */
export const listSimTemplates = endpoint({
  ...control,
  id: "listSimTemplates",
  method: "GET",
  path: "/sim/message-templates",
  data: z.array(simTemplateSchema),
});

/** Adds a template of subscription messages, or replaces the one with that id. */
export const putSimTemplate = endpoint({
  ...control,
  id: "putSimTemplate",
  method: "PUT",
  path: "/sim/message-templates/{template_id}",
  params: z.object({ template_id: templateId }),
  body: z.strictObject({
    title: z.string().min(1).max(64),
    content: z
      .string()
      .max(1_024)
      .regex(/\{\{\w{1,40}\.DATA\}\}/, "must hold a place such as {{thing1.DATA}}")
      .meta({ examples: ["Order {{character_string1.DATA}}: {{thing2.DATA}}"] }),
  }),
  data: simTemplateSchema,
});

/**
 * Answers what the platform's requestSubscribeMessage gives the client. Each template that the person accepts may be sent
 * once more.
 */
export const simSubscribe = endpoint({
  ...person,
  id: "simSubscribe",
  method: "POST",
  path: "/sim/users/{name}/message-subscriptions",
  query: z.object({ deny: z.string().optional().describe("Rejects all of them, whatever its value.") }),
  body: z.strictObject({ tmplIds: list(templateId).min(1).max(3) }),
  data: z.record(z.string(), z.string()),
});

export const simMessageSchema = z.object({
  id: z.int(),
  template_id: z.string(),
  title: z.string(),
  text: z.string().describe("The template's content with the values in it."),
  data: z.record(z.string(), z.string()).describe("The values by place."),
  page: z.string().describe("The page that a tap opens; empty: none."),
  sent_at: z.iso.datetime(),
});

/** Answers the subscription messages that were sent to a person, the newest first. */
export const listSimMessages = endpoint({
  ...person,
  id: "listSimMessages",
  method: "GET",
  path: "/sim/users/{name}/messages",
  data: z.array(simMessageSchema),
});

export const contentVerdict = z.enum(["pass", "review", "risky"]);
export const simContentRules = list(
  z.strictObject({
    contains: z.string().min(1).max(256).describe("Applies to texts, titles and media addresses that contain it."),
    suggest: contentVerdict,
    label: z
      .literal([100, 10001, 20001, 20002, 20003, 20006, 20008, 20012, 20013, 21000])
      .describe(
        "The platform's kind: 100 normal, 20001 politics, 20002 pornography, 20003 abuse, 20006 crime, 20008 fraud …",
      ),
  }),
).max(100);

const rules = { ...control, path: "/sim/content-rules", data: simContentRules } as const;

/** Answers the rules for judging texts and media. */
export const listSimContentRules = endpoint({ ...rules, id: "listSimContentRules", method: "GET" });

/** Replaces the rules by which texts and media are judged. The first that applies decides; without one all pass. */
export const putSimContentRules = endpoint({
  ...rules,
  id: "putSimContentRules",
  method: "PUT",
  body: z.strictObject({ rules: simContentRules }),
});

export const simMediaCheckSchema = z.object({
  trace_id: z.string(),
  openid: z.string(),
  media_url: z.string(),
  suggest: contentVerdict,
  label: z.int(),
});

/** Answers the results of media checks, the newest first; no message of the platform brings them to the app yet. */
export const listSimMediaChecks = endpoint({
  ...control,
  id: "listSimMediaChecks",
  method: "GET",
  path: "/sim/media-checks",
  data: z.array(simMediaCheckSchema),
});
