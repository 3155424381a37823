import { hideCredentials } from "../../contract/process/hide-credentials.ts";
import { missingPaymentSetting } from "../../contract/process/payment-settings.ts";
import { secretSettings, settingsSchema, type SettingName, type Settings } from "../../contract/process/settings.ts";
import { badRequest } from "../../http/http-error.ts";
import { describeIssue } from "../../http/messages/describe-issue.ts";
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
  /** Those of the run that flags and variables gave. */
  given: Readonly<Record<string, unknown>>,
  dataDir: string,
  { file, restrictedTo, project = {} }: SettingOrigins,
): { values: Record<string, unknown>; next: Settings } {
  for (const [name, value] of Object.entries(change)) check(name, value);
  const after = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null);
  const values = Object.fromEntries(after);
  const refused = problemOfFiles({ project, own: values, given, restrictedTo });
  const trusted = restrictedTo === undefined ? file : undefined;
  if (refused) throw badRequest("invalid_request", describeProblem(refused, trusted), refused.name);
  const whole = settingsSchema.safeParse({ ...project, ...values, data_dir: dataDir }, { error: describeIssue });
  if (!whole.success) {
    const issue = whole.error.issues[0];
    const name = String(issue?.path[0] ?? issue?.code);
    throw badRequest("invalid_request", `${name}: ${issue?.message ?? isInvalid}.`, name);
  }
  const half = missingPaymentSetting(whole.data);
  if (half !== undefined)
    throw badRequest(
      "invalid_request",
      `${half.missing} is missing: payments by ${whole.data.payment_version} need it where ${half.because} is set.`,
      half.missing,
    );
  return { values, next: whole.data };
}

function check(name: string, value: unknown): void {
  if (!settingNames.includes(name as SettingName))
    throw badRequest("invalid_request", `There is no setting ${name}.`, name);
  const known = name as SettingName;
  if (!isEditable(known))
    throw badRequest(
      "invalid_request",
      `${name} says where the configuration file lies: give it as a flag or a variable.`,
      name,
    );
  if (value === null) return;
  const parsed = settingsSchema.shape[known].safeParse(value, { error: describeIssue });
  if (parsed.success) return;
  const given = secretSettings.has(known) ? "the value" : JSON.stringify(value);
  const problem = parsed.error.issues[0]?.message ?? isInvalid;
  throw badRequest("invalid_request", hideCredentials(`${name}: ${given} is not valid (${problem}).`), name);
}
