import type { Entries } from "../entries.ts";

/** Settings that a start refuses, and settings that a working directory's file may not hold. */
// prettier-ignore
export const settingTexts = {
  "start.refused": [400, "invalid_request", "{problem}."],
  "start.file": "{file}: {problem}",
  "start.database": "database_url: {problem}",
  "start.noFile": "{name}: {file}: there is no such file",
  "start.noKey": "{name}: {file}: it is not the PEM text of an RSA key that is needed here",
  "start.noKeys": "payment_version: the keys of {version} are not set in the payment settings",
  "start.useless": "{missing} is missing: {other} is of no use without it",
  "start.bucketSize": "MaxSizeOfSigleFile_MB: with uploads_bucket it is {most} at most: stores copy no larger object",
  "start.bucketPackages": "uploads_bucket: Hearth talks to such stores by packages that are not installed; to add them: {toAdd}",
  "start.region": "uploads_bucket: without uploads_endpoint, AWS_REGION or a profile of AWS must name the bucket's region",

  "project.refused": "{name}: {reason} in the file of a working directory, which may be anybody's; give it by {flag} or {variable}",
  "project.refusedTrusted": "{name}: {reason} in the file of a working directory, which may be anybody's; give it by {flag} or {variable} or {file}",
  "project.leak": "would get your {secret}, so it may not be set",
  "project.elsewhere": "may not be set",
  "project.consolePort": "{port} is the console's port, and may not be set",
  "project.noPath": "{value} is no path",
  "project.outside": "{value} lies outside the folder",
  "project.special": "{value} is neither a file nor a folder",
  "project.links": "{value} holds a symbolic link",
  "project.origin": "{value} may not be set",
} as const satisfies Entries;
