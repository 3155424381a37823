import { message, type MessageValue } from "../../contract/messages/message.ts";
import { hideCredentials } from "../../contract/process/hide-credentials.ts";
import { missingPaymentSetting, payWireOf } from "../../contract/process/payment-settings.ts";
import { secretSettings, settingsSchema, type SettingName, type Settings } from "../../contract/process/settings.ts";
import { HttpError, refuse } from "../../http/http-error.ts";
import { describable, describeIssue } from "../../http/messages/describe-issue.ts";
import { isInvalid } from "../../json-schema/predicates.ts";
import { problemOfFiles } from "../../process/settings/project-file.ts";
import { describeProblem, type SettingOrigins } from "../../process/settings/read-settings.ts";
import { isEditable, settingNames } from "./setting-view.ts";

/**
 * The content of the configuration file after a change, and the settings of a start with no flags and variables; null removes a
 * value.
 * @throws HttpError 400 that names the invalid setting, without the value of a secret
 */
export function checkedValues(
  before: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
  /** The settings of the run that came by flags and variables. */
  passed: Readonly<Record<string, unknown>>,
  dataDir: string,
  { file, restrictedTo, project = {} }: SettingOrigins,
): { values: Record<string, unknown>; next: Settings } {
  for (const [name, value] of Object.entries(change)) check(name, value);
  const after = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null);
  const values = Object.fromEntries(after);
  const refused = problemOfFiles({ project, own: values, given: passed, restrictedTo });
  const trusted = restrictedTo === undefined ? file : undefined;
  if (refused) throw new HttpError(400, "invalid_request", describeProblem(refused, trusted), { field: refused.name });
  const whole = settingsSchema.safeParse({ ...project, ...values, data_dir: dataDir }, describable);
  if (!whole.success) {
    const issue = whole.error.issues[0];
    const name = String(issue?.path[0] ?? issue?.code);
    throw refuse(
      "problem.other",
      { subject: name, problem: issue ? describeIssue(issue) : isInvalid },
      { field: name },
    );
  }
  const half = missingPaymentSetting(whole.data);
  if (half !== undefined)
    throw refuse(
      "setting.half",
      { missing: half.missing, version: payWireOf(whole.data), because: half.because },
      { field: half.missing },
    );
  return { values, next: whole.data };
}

/** Hides the credentials in a value, and in all values of a message. */
function withoutCredentials(value: MessageValue): MessageValue {
  if (typeof value === "string") return hideCredentials(value);
  if (typeof value === "number" || !("code" in value)) return value;
  const values = Object.entries(value.values ?? {}).map(([name, one]) => [name, withoutCredentials(one)] as const);
  return { ...value, values: Object.fromEntries(values) };
}

function check(name: string, value: unknown): void {
  if (!settingNames.includes(name as SettingName)) throw refuse("setting.none", { name }, { field: name });
  const known = name as SettingName;
  if (!isEditable(known)) throw refuse("setting.place", { name }, { field: name });
  if (value === null) return;
  const parsed = settingsSchema.shape[known].safeParse(value, describable);
  if (parsed.success) return;
  const refusedValue = secretSettings.has(known) ? message("setting.theValue") : hideCredentials(JSON.stringify(value));
  const [issue] = parsed.error.issues;
  const problem = issue ? withoutCredentials(describeIssue(issue)) : isInvalid;
  throw refuse("setting.value", { name, value: refusedValue, problem }, { field: name });
}
