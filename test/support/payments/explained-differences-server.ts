/** Differences from a client library's description of the platform's API for servers that are meant, with their reasons. */
import type { Explanation } from "./explained-differences.ts";

export const explanationsOfServer: readonly Explanation[] = [
  {
    operation: /stable_token$/,
    difference: /^body [/]force_refresh: required there only$/,
    reason: "the platform's page has false as its default",
  },
  {
    operation: /getuserphonenumber$/,
    difference: /^body [/]openid: only here$/,
    reason: "the platform's page has it as an optional field",
  },
  {
    operation: /[/]wxa[/]gen|getwxacode/,
    difference: /^body [/](?:jump_wxa[/])?(?:env_version|expire_type): one of /,
    reason: "the platform's page names these values",
  },
  {
    operation: /_check/,
    difference: /^body [/]version: one of 1, 2 here$/,
    reason: "the platform has these two versions of the call",
  },
  {
    operation: /generatescheme$/,
    difference: /^body [/](?:jump_wxa|jump_wxa[/]path|expire_type): required there only$/,
    reason: "the platform's page has them as optional: without a page the link opens the first one",
  },
  {
    operation: /generate_urllink$/,
    difference: /^body [/]path: required there only$/,
    reason: "the platform's page has it as optional: without a page the link opens the first one",
  },
  {
    operation: /genwxashortlink$/,
    difference: /^body [/]page_title: required there only$/,
    reason: "the platform's page has it as optional",
  },
  {
    operation: /generate_urllink$/,
    difference: /^body [/]cloud_base: only there$/,
    reason: "listed as missing",
  },
];
