/** Introductions of the API descriptions: how the whole API works. */

/** How every operation of the application server behaves. */
export const appIntroduction = `
The API that clients under test call: login, collections, uploads, file events and payments. Open an operation to try it.

<details>
<summary>Login state, formats and conventions</summary>

## Login state

A client logs in with \`POST /api/sessions\`. It sends the token that it gets as \`Authorization: Bearer TOKEN\` or as
\`X-Access-Token\`; a token in a query is refused (400). If an operation knows the caller, its answer contains the **status
package**: \`status\` next to \`data\`. Answers without a body have it in the header \`Status-Package\` (base64url of its JSON).
A 401 names the client's next step in \`WWW-Authenticate\`. \`Bearer\`: log in. \`getUserInfo\` or \`getPhoneNumber\`: make
that call and send its result. Then repeat the request.

## Formats

Bodies are JSON, XML or, if all fields are plain, a form. Answers are JSON or, by \`Accept\`, XML (\`application/xml\` or
\`text/xml\`). In XML, the root is \`<result>\` and arrays are repeated \`<item>\`. A name that XML forbids becomes
\`<entry key="…">\`. Text that XML cannot represent becomes base64 with \`encoding="base64"\`.
Null members are omitted, with two exceptions: items of users' collections (in XML \`xsi:nil="true"\`) and the JSON of
\`/console/api\`. Non-ASCII characters are escaped unless the setting \`json_relaxed\` is on. \`?pretty\` indents.

## Conventions

- \`Message\`, \`details\` and \`err_msg\` are English or, by \`Accept-Language\`, Chinese. \`code\` is the same in both.
- The header \`Hearth-Warning\` lists unknown members of the body and unknown names in the query. The setting
  \`strict_requests\` refuses them (400).
- \`Hearth-Faults\` is the number of armed faults. \`X-Hearth-Fault\` lists the faults that hit this request.
- \`HEAD\` works wherever \`GET\` does. \`OPTIONS\` works for every resource below \`/api\` and \`/avatars\`. Other methods get 405 there,
  with \`Allow\` if HTTP defines the method.
- Errors, except those of uploads, are \`{Message, code, details?}\` in the format that \`Accept\` requests. The payment
  platform gets its own format; invalid HTTP gets JSON.
- Lists filter by fields: \`price=3\`, \`price[gte]=3\` (\`gt\`, \`gte\`, \`lt\`, \`lte\`, \`ne\`). \`price[null]=true\` matches
  null and missing, \`price[exists]=false\` only missing. \`tags=a\` matches an item of an array, \`address.city=x\` an inner
  field. A repeated field matches any of its values. Fields that a user's collection does not have get 400. JSON:API's
  \`page[size]\`, \`filter[…]\` and names that begin with \`_\` have no effect.
- A POST with \`X-HTTP-Method-Override: PATCH\` (or PUT, DELETE) counts as that method.
- Lists are paged by \`page\` and \`page_size\`. A page size over the limit is refused (400).
- \`ETag\` is a resource's version. \`If-Match\` guards a change (412). \`If-None-Match\` saves an answer (304) or refuses a
  change (412).
- A GET whose query starts with \`&\` is redirected to the address without it (setting \`query_normalization\`).
- 503 has \`Retry-After\`. Reasons are maintenance, overload, a lock of another request, or a platform that does not answer.
- Answers have an \`X-Request-Id\`. The client's id is kept if it has at most 64 letters, digits, \`_\`, \`.\` and \`-\`.
  Otherwise Hearth creates one. \`traceparent\` names the trace; a valid trace from the client is continued.
  Answers of \`/livez\`, \`/readyz\`, \`/healthz\` and \`/metrics\` have neither header, nor do answers to too many connections
  or invalid HTTP.

The console's API, for tests and scripts, is described at \`/console/api/docs\` of an open console.

</details>
`.trim();

/** How the console's API behaves. */
export const consoleIntroduction = `
The console's functions for programs: tests, scripts and CI.

<details>
<summary>Access and forwarded requests</summary>

Every operation except the login with a code requires the console token or the cookie of a logged-in browser. Send the token
as \`Authorization: Bearer TOKEN\`. The console's address in the file of \`--ready-file\` contains the token. A key with the scope \`control\` replaces the token. Other machines use the same
credentials, but not through the address for phones. Pages of other origins are refused.

Requests below \`/console/api/model/\` and \`/console/api/provider/\` are forwarded to the model service and the platform
simulator. They define the rest of the path, which is not described here. The rest begins with one slash; two slashes would
name a host and get 400. Redirects are not followed and get 502. Browsers neither run nor load anything from a forwarded
reply (\`Content-Security-Policy: default-src 'none'; sandbox\`).

</details>
`.trim();
