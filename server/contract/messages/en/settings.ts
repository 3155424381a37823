import type { Entries } from "../entries.ts";

/** Settings that a start refuses, and settings that a working directory's file may not hold. */
// prettier-ignore
export const settingTexts = {
  "start.refused": [400, "invalid_request", "{problem}."],
  "start.file": "{file}: {problem}",
  "start.database": "database_url: {problem}",
  "start.noFile": "{name}: {file} does not exist",
  "start.noKey": "{name}: {file} is not the PEM file of the required RSA key",
  "start.noKeys": "payment_version: set the keys of {version} in the payment settings",
  "start.useless": "{missing} is missing: {other} requires it",
  "start.bucketSize": "MaxSizeOfSigleFile_MB: the maximum with uploads_bucket is {most}, because stores cannot copy larger objects",
  "start.bucketPackages": "uploads_bucket: the required packages are not installed; add them: {toAdd}",
  "start.region": "uploads_bucket: without uploads_endpoint, set the bucket's region in AWS_REGION or an AWS profile",

  "project.refused": "{name}: {reason} in a working directory's file, because others may write it; use {flag} or {variable}",
  "project.refusedTrusted": "{name}: {reason} in a working directory's file, because others may write it; use {flag}, {variable} or {file}",
  "project.leak": "would get your {secret} and must not be set",
  "project.elsewhere": "must not be set",
  "project.consolePort": "{port} is the console's port and must not be set",
  "project.noPath": "{value} is not a path",
  "project.outside": "{value} is outside the folder",
  "project.special": "{value} is not a file or folder",
  "project.links": "{value} contains a symbolic link",
  "project.origin": "{value} must not be set",
} as const satisfies Entries;
