/** The page's headings in order; a setting belongs to the first one that matches its name. */
const groups = [
  { label: "login", takes: /^(identity_|require_userinfo|phone_|session_|basic_auth)/ },
  { label: "payments", takes: /^payment_/ },
  { label: "models", takes: /^(model(?!_port)|registry_|gpu_|flash_|kv_|prompt_cache_|require_keys)/ },
  { label: "recording", takes: /^record_/ },
  { label: "api", takes: /^(query_|enum_|json_|cors_|maintenance|MaxSize|collections_|routes_|raffle_|uploads_)/ },
  { label: "run", takes: /./ },
] as const;
export type SettingGroup = (typeof groups)[number]["label"];

const order: readonly SettingGroup[] = ["run", "api", "login", "payments", "models", "recording"];

export function groupSettings<Setting extends { readonly name: string }>(
  settings: readonly Setting[],
): { label: SettingGroup; settings: Setting[] }[] {
  const byGroup = Map.groupBy(settings, ({ name }) => groups.find(({ takes }) => takes.test(name))?.label ?? "run");
  return order.flatMap((label) => {
    const found = byGroup.get(label);
    return found ? [{ label, settings: found }] : [];
  });
}
