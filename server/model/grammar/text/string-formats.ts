/**
 * Texts of the `format` keyword, as patterns. Some are narrower than their standards, none is wider. Other formats are
 * annotations, as JSON Schema has it.
 */
const leapYear = "(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[2468][048]|[13579][26]|0[48])00)";
const days = [
  "(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])",
  "(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)",
  "02-(?:0[1-9]|1\\d|2[0-8])",
].join("|");
const date = `(?:(?!0000)\\d{4}-(?:${days})|${leapYear}-02-29)`;
const clock = "(?:[01]\\d|2[0-3]):[0-5]\\d";
const time = `${clock}:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-]${clock})`;
const byte = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const ipv4 = `${byte}(?:\\.${byte}){3}`;
/** Shorter than the 63 characters that the standard allows, and so are the five of them that make a name. */
const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,30}[a-zA-Z0-9])?";
/** Two hyphens in a row announce encoded names, which have rules of their own. */
const notEncoded = "(?!.*--)";
const host = `${label}(?:\\.${label}){0,4}`;
/** The domain of an email address: validators require a point in it. */
const domain = `(?:${label}\\.){1,4}[a-zA-Z]{2,10}`;

const hex = "[0-9a-fA-F]";
const group = `${hex}{1,4}`;
/** Groups of an address of which some are left out: so many before, and at most so many behind. */
const shortened = Array.from({ length: 7 }, (_, before) => {
  const behind = 6 - before;
  const tail = behind === 0 ? `(?:${group})?` : `(?:${group}(?::${group}){0,${String(behind)}})?`;
  return before === 0 ? `::${tail}` : `${group}(?::${group}){${String(before - 1)}}::${tail}`;
});
const ipv6 = `(?:${group}(?::${group}){7}|${shortened.join("|")}|(?:${group}:){7}:|::(?:ffff:)?${ipv4})`;

const encoded = `%${hex}{2}`;
const pathPart = (extra: string) => `(?:[a-zA-Z0-9._~!$&'()*+,;=:@/${extra}-]|${encoded})`;
const path = (extra: string) => `${pathPart(extra)}*`;
const segment = (extra: string) => `(?:[a-zA-Z0-9._~!$&'()*+,;=@${extra}-]|${encoded})`;
const query = (extra: string) => `(?:[a-zA-Z0-9._~!$&'()*+,;=:@/?${extra}-]|${encoded})*`;
const user = "(?:[a-zA-Z0-9._~!$&'()*+,;=:-]+@)?";
/** Higher ones take more states than they are worth. */
const port = "(?::[1-5]?\\d{1,4})?";
const authority = `${user}[a-zA-Z0-9._~-]+${port}`;
/** Readers of addresses take a last label that begins with a digit for the end of an IPv4 address, and decode "xn--". */
const webHost = `(?:(?:${byte}\\.){3}${byte}|(?:[a-zA-Z0-9](?:-?[a-zA-Z0-9])*\\.)*[a-zA-Z](?:-?[a-zA-Z0-9])*)`;
/** Schemes are in small letters, which takes half as many states. */
const web = "(?:https?|wss?|ftp)";
const tail = (extra: string) => `(?:\\?${query(extra)})?(?:#${query(extra)})?`;
/** Validators want more than a scheme, and some read addresses as browsers do, which know the schemes of the web. */
const absolute = (extra: string) => {
  const other = `(?!(?:${web}|file):)[a-z][a-z0-9+.-]*`;
  const known = `${web}://${webHost}${port}(?:/${path(extra)})?|file://(?:${webHost})?/${path(extra)}`;
  const free = `${other}:(?://(?:${authority})?(?:/${path(extra)})?|(?!//)${pathPart(extra)}+)`;
  return `(?:${known}|${free})${tail(extra)}`;
};
const relative = (extra: string) =>
  `(?://${authority}(?:/${path(extra)})?|/(?!/)${path(extra)}|${segment(extra)}+(?:/${path(extra)})?|)${tail(extra)}`;
const international = "\\u00a0-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\uffef";

const email = "[a-zA-Z0-9_+'-]{1,30}(?:\\.[a-zA-Z0-9_+'-]{1,30}){0,1}@";
const pointer = "(?:/(?:[^~/]|~[01])*)*";
const seconds = "\\d+S";
const ofDay = `T(?:\\d+H(?:\\d+M(?:${seconds})?)?|\\d+M(?:${seconds})?|${seconds})`;
const ofYear = "(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)";
const atom = "(?:[\\w /:,;@=!<>\"'#%&~-]|\\\\[dwsDWS./+*?()|^$]|\\.|\\[\\^?(?:[a-z0-9_]|a-z|A-Z|0-9)+\\])";
const expression = `\\^?(?:${atom}[*+?]?)*\\$?`;
const variable = "\\{[+#./;?&]?[a-zA-Z_][a-zA-Z0-9_]*(?:,[a-zA-Z_][a-zA-Z0-9_]*)*\\}";

const signatures = ["HS", "RS", "ES", "PS"].flatMap((kind) => [256, 384, 512].map((bits) => `${kind}${String(bits)}`));
const jwtHeaders = [...signatures, "EdDSA"].flatMap((alg) =>
  [
    { alg, typ: "JWT" },
    { typ: "JWT", alg },
  ].map((header) => Buffer.from(JSON.stringify(header)).toString("base64url")),
);

const patterns = {
  date,
  time,
  "date-time": `${date}T${time}`,
  duration: `P(?:${ofYear}(?:${ofDay})?|${ofDay}|\\d+W)`,
  uuid: `${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}`,
  email: `${email}${domain}`,
  "idn-email": `${email}${domain}`,
  hostname: `${notEncoded}${host}`,
  "idn-hostname": `${notEncoded}${host}`,
  ipv4,
  ipv6,
  uri: absolute(""),
  "uri-reference": `(?:${absolute("")}|${relative("")})`,
  iri: absolute(international),
  "iri-reference": `(?:${absolute(international)}|${relative(international)})`,
  "uri-template": `(?:[a-zA-Z0-9._~!$&()*+,;=:@/?#-]|${encoded}|${variable})*`,
  "json-pointer": pointer,
  "relative-json-pointer": `(?:0|[1-9]\\d*)(?:#|${pointer})`,
  regex: expression,
  jwt: `(?:${jwtHeaders.join("|")})\\.[\\w-]+\\.[\\w-]+`,
};
const whole = (pattern: string) => `^(?:${pattern})$`;

/** The pattern of a format; undefined for one that says nothing of its texts here. */
export const formatPattern = (format: unknown): string | undefined =>
  typeof format === "string" && Object.hasOwn(patterns, format)
    ? whole(patterns[format as keyof typeof patterns])
    : undefined;

/** Stand-ins for zod's patterns of host names and email: counting both whole texts and their parts takes too many states. */
const zodLabel = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const standIns = new Map([
  [`^(?=.{1,253}\\.?$)${zodLabel}(?:\\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\\.?$`, whole(patterns.hostname)],
  [`^(?=.{1,253}$)(${zodLabel}\\.)+[a-zA-Z]{2,63}$`, whole(domain)],
  ['^[^\\s@"]{1,64}@[^\\s@]{1,255}$', whole(patterns.email)],
]);

/** A pattern that has only texts of this one: another only where this one is known to be beyond bounds. */
export const enforceablePattern = (pattern: string): string => standIns.get(pattern) ?? pattern;
