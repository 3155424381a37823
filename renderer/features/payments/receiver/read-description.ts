/** Reads a description of a backend that somebody has typed or pasted. Loaded when it is first needed: YAML is large. */
import { parseDocument } from "yaml";
import { message, type Text } from "../../../../server/contract/messages/message.ts";
import {
  describedMember,
  describedRequest,
  descriptionSchema,
} from "../../../../server/contract/provider/checks/integration-description.ts";
import {
  receiverCheckInputSchema,
  type ReceiverCheckRequest,
} from "../../../../server/contract/provider/checks/receiver-checks.ts";
import { describable, describeIssue, sentenceOf } from "../../../../server/http/messages/describe-issue.ts";

type Read = { readonly request: ReceiverCheckRequest } | { readonly problem: Text };

/** Like the command line, but headers name no variables: a browser has none. */
export function readTypedDescription(text: string): Read {
  const document = parseDocument(text);
  const [broken] = document.errors;
  if (broken) return { problem: broken.message.split("\n")[0] ?? "" };
  const read = descriptionSchema.safeParse(document.toJS({ maxAliasCount: 100 }), describable);
  const [issue] = read.error?.issues ?? [];
  if (!read.success) return { problem: sentence(issue?.path.join(".") ?? "", issue) };
  const request = describedRequest(read.data, (name) => `\${${name}}`);
  const [wrong] = receiverCheckInputSchema.safeParse(request, describable).error?.issues ?? [];
  return wrong ? { problem: sentence(describedMember(wrong.path.map(String)), wrong) } : { request };
}

const sentence = (field: string, issue: Parameters<typeof describeIssue>[0] | undefined): Text =>
  issue ? message(...sentenceOf({ field, problem: describeIssue(issue) }, "body")) : "";
