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
  path: z.string().describe("Page without a leading slash. Empty: the first page."),
  query: z
    .record(z.string(), z.string())
    .describe("Query parameters. `scene` has the percent-encoded scene of a code."),
  scene: z.int().describe("Platform's number of the entry: 1047 mini-program code, 1011 QR code, 1065 scheme …"),
  env_version: envVersion,
});
export type SimLaunch = z.infer<typeof simLaunchSchema>;

/** Opens the mini-program from the text of a code or from a link. The person's phone does the same. */
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
      .describe("Content of the code, or link."),
  }),
  data: simLaunchSchema,
  errors: [404, 410],
});

/** A template of a subscription message; its content is text with places such as `{{thing1.DATA}}`. */
export const simTemplateSchema = z.object({ template_id: templateId, title: z.string(), content: z.string() });

/** Lists the templates of subscription messages. */
export const listSimTemplates = endpoint({
  ...control,
  id: "listSimTemplates",
  method: "GET",
  path: "/sim/message-templates",
  data: z.array(simTemplateSchema),
});

/** Adds a template of subscription messages, or replaces the template with this id. */
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
      .regex(/\{\{\w{1,40}\.DATA\}\}/, "must contain a placeholder such as {{thing1.DATA}}")
      .meta({ examples: ["Order {{character_string1.DATA}}: {{thing2.DATA}}"] }),
  }),
  data: simTemplateSchema,
});

/**
 * Returns the result of the platform's requestSubscribeMessage for the client. Each template that the person accepts
 * may be sent once more.
 */
export const simSubscribe = endpoint({
  ...person,
  id: "simSubscribe",
  method: "POST",
  path: "/sim/users/{name}/message-subscriptions",
  query: z.object({ deny: z.string().optional().describe("Rejects all templates. The value does not matter.") }),
  body: z.strictObject({ tmplIds: list(templateId).min(1).max(3) }),
  data: z.record(z.string(), z.string()),
});

/** Makes a person accept no more messages of a template, as on the platform's settings page. */
export const simUnsubscribe = endpoint({
  ...control,
  id: "simUnsubscribe",
  method: "DELETE",
  path: "/sim/users/{name}/message-subscriptions/{template_id}",
  params: z.object({ name: z.string(), template_id: templateId }),
  status: 204,
});

export const simMessageSchema = z.object({
  id: z.int(),
  template_id: z.string(),
  title: z.string(),
  text: z.string().describe("Content of the template with its values."),
  data: z.record(z.string(), z.string()).describe("Values by placeholder."),
  page: z.string().describe("Page that a tap opens. Empty: none."),
  sent_at: z.iso.datetime(),
});

/** Lists the subscription messages that were sent to a person, newest first. */
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
    contains: z.string().min(1).max(256).describe("Text to search for in texts, titles and media addresses."),
    suggest: contentVerdict,
    label: z
      .literal([100, 10001, 20001, 20002, 20003, 20006, 20008, 20012, 20013, 21000])
      .describe(
        "Platform's label: 100 normal, 20001 politics, 20002 pornography, 20003 abuse, 20006 crime, 20008 fraud …",
      ),
  }),
).max(100);

const rules = { ...control, path: "/sim/content-rules", data: simContentRules } as const;

/** Lists the rules of content checks for texts and media. */
export const listSimContentRules = endpoint({ ...rules, id: "listSimContentRules", method: "GET" });

/**
 * Replaces the rules of content checks for texts and media. The first rule that matches decides. Content that no rule
 * matches passes.
 */
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

/** Lists the results of media checks, newest first. Message push sends them to the app. */
export const listSimMediaChecks = endpoint({
  ...control,
  id: "listSimMediaChecks",
  method: "GET",
  path: "/sim/media-checks",
  data: z.array(simMediaCheckSchema),
});
