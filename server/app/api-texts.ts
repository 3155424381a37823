/** Introductions of the API descriptions: how the whole API works. */

/** How every operation of the application server behaves. */
export const appIntroduction = `
The API that clients under test call: login, collections, uploads, file events and payments. Open an operation to try it.

<details>
<summary>Login state, formats and conventions</summary>

## Login state

A client logs in with \`POST /api/sessions\` and sends the token that it gets as \`Authorization: Bearer TOKEN\` or as
\`X-Access-Token\`; a token in a query is refused (400). The answer of every operation that knows the caller carries the
**status package**, as \`status\` beside \`data\`, or in the header \`Status-Package\` (base64url of its JSON) where there is
no body. A 401 names the client's next step in \`WWW-Authenticate\`: \`Bearer\` (log in), \`getUserInfo\` or \`getPhoneNumber\`
(make that call and send its result); then repeat the request.

## Formats

Bodies are JSON, XML or, where all fields are plain, a form. Answers are JSON or, by \`Accept\`, XML (\`application/xml\` or
\`text/xml\`): the root is \`<result>\`, arrays are repeated \`<item>\`, a name that XML forbids is \`<entry key="…">\`, and a
text that XML cannot carry is base64 with \`encoding="base64"\`. Null members are left out, but not in
items of users' collections, where XML writes them as \`xsi:nil="true"\`, and in the JSON of \`/console/api\`; characters beyond ASCII are escaped unless the setting \`json_relaxed\` is on; \`?pretty\` indents.

## Conventions

- \`Message\`, \`details\` and \`err_msg\` are English or, by \`Accept-Language\`, Chinese; \`code\` is the same in both.
- A member of the body or a name in the query that the operation does not know is told in the header \`Hearth-Warning\`; the
  setting \`strict_requests\` refuses it (400).
- \`Hearth-Faults\` says how many faults are armed, \`X-Hearth-Fault\` which of them have hit this request.
- \`HEAD\` works wherever \`GET\` does, \`OPTIONS\` for every resource below \`/api\` and \`/avatars\`; every other verb is answered 405 there,
  with \`Allow\` where HTTP knows the verb.
- Every error but that of an upload is \`{Message, code, details?}\`, in the format that \`Accept\` asks for; the payment provider
  gets its own format, and invalid HTTP gets JSON.
- A query filters a list by its fields: \`price=3\`, \`price[gte]=3\` (\`gt\`, \`gte\`, \`lt\`, \`lte\`, \`ne\`), \`price[null]=true\` for
  null and missing, \`price[exists]=false\` for missing alone, \`tags=a\` for an item of a list, \`address.city=x\` for a field inside; a repeated field has one of the values. A field that
  a collection of a user does not have is 400. JSON:API's \`page[size]\`, \`filter[…]\` and names that begin with \`_\` have no effect.
- A POST with \`X-HTTP-Method-Override: PATCH\` (or PUT, DELETE) is that method.
- Lists are paged by \`page\` and \`page_size\`; a page size over the limit is refused (400).
- \`ETag\` is a resource's version. \`If-Match\` guards a change (412), \`If-None-Match\` saves an answer (304) or refuses a change (412).
- A GET whose query starts with \`&\` is redirected to the same address without it (setting \`query_normalization\`).
- 503 comes with \`Retry-After\`: maintenance, too much work, a lock that another request holds, or a provider that does not
  answer.
- An answer has an \`X-Request-Id\`: the client's own if that is at most 64 letters, digits, \`_\`, \`.\` and \`-\`, else a new one.
  \`traceparent\` names its trace: the client's own if it sent a valid one.
  Those of \`/livez\`, \`/readyz\`, \`/healthz\` and \`/metrics\` have none, nor those to too many connections and to what is no
  valid HTTP.

The console's API, for tests and scripts, is described at \`/console/api/docs\` of an open console.

</details>
`.trim();

/** How the console's API behaves. */
export const consoleIntroduction = `
The console's functions for programs: tests, scripts and CI.

<details>
<summary>Access and forwarded requests</summary>

Every operation except the login with a code requires one of these: the run's console token as
\`Authorization: Bearer TOKEN\`, or the cookie of a browser that has logged in. The token is part of the console's address in
the file that \`--ready-file\` names. A key with the scope \`control\` replaces the token. Other machines use the same
credentials, but not through the address for phones. Pages of other origins are refused.

Requests below \`/console/api/model/\` and \`/console/api/provider/\` are forwarded to the model service and the provider
simulator. The rest of such a path is theirs, and is not described here. The rest begins with one slash; two slashes, which
would name a host, get 400. A redirect gets 502 and is not followed. Browsers neither run nor load anything from a forwarded
reply (\`Content-Security-Policy: default-src 'none'; sandbox\`).

</details>
`.trim();
