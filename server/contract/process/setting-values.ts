/** Types of settings' values. Those of variables and flags are text. */
import { z } from "zod";
import { issueOf } from "../messages/issue-of.ts";
import { message, type Message } from "../messages/message.ts";
import { conditions } from "../messages/en/conditions.ts";
import { bindsLoopback } from "../own-url.ts";
import { trimEndOf } from "../trim-end-of.ts";

/** A number or its digits. Empty text is no number. */
export const number = z.union(
  [z.number(), z.stringFormat("number", /^-?\d+([.]\d+)?$/).transform(Number)],
  "not a number",
);
export const port = number.pipe(z.number().int().min(0).max(65_535));
export const flag = z
  .union([z.boolean(), z.enum(["true", "false", "1", "0"])], "one of true, false, 1, 0")
  .transform((v) => v === true || v === "true" || v === "1");
/** With a dot before it: all names below it, too. */
export const hostName = z.string().regex(/^[.]?[\w-]+([.][\w-]+)*[.]?$/, conditions["condition.hostName"]);
export const baseUrl = z.url({ protocol: /^https?$/ }).transform((url) => trimEndOf(url, "/"));
/** An address of PostgreSQL. A socket is named by `postgres:///database?host=/folder`. */
export const databaseUrl = z.url({ protocol: /^postgres(?:ql)?$/ });
/** Downloads from there are run: nobody on the way may change them. */
export const updateUrl = baseUrl
  .refine(
    (url) => url.startsWith("https:") || bindsLoopback(new URL(url).hostname),
    "https is required, unless it is on this machine",
  )
  .optional();
/** A key that both sides know: its 32 characters are 32 bytes. */
export const apiKey = z.string().regex(/^[\x21-\x7e]{32}$/, conditions["condition.apiKey"]);

/** A list, or its items separated by commas. */
export const listSetting = z.union(
  [
    z.array(z.string()),
    z.string().transform((text) =>
      text
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean),
    ),
  ],
  "a list is required, or its items separated by commas",
);

/** A text as the header Origin has it; undefined where it names no host. */
function originIn(text: string): string | undefined {
  const url = URL.parse(/^[\w+.-]+:\/\//.test(text) ? text : `https://${text}`);
  // The standard's own member says null for schemes of apps and browser extensions.
  return url === null ? undefined : `${url.protocol}//${url.host}`;
}

/** With one "*", as the model service takes it. */
const isPattern = (text: string) => /^[^\s/?#@*]*[*][^\s/?#@*]*$/.test(text.replace("://", ""));
const isOrigin = (text: string) =>
  text.includes("*") ? isPattern(text) : ["loopback", "null", originIn(text)].includes(text);

function noOrigin(text: string): Message {
  const meant = originIn(text);
  const right = meant !== undefined && isOrigin(meant) ? meant : "https://shop.example";
  return message("condition.origin", { right, found: text });
}

/** "loopback", "*", or what a browser or an app may send as its origin. */
export const corsOrigin = z.string().superRefine((text, context) => {
  if (!isOrigin(text)) context.addIssue(issueOf(noOrigin(text)));
});

export const hostNames = listSetting.pipe(z.array(hostName)).default([]);
