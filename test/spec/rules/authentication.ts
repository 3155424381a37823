/** The specification's parts on authentication, events, errors, limits and versioning. */
import { numbered, section, type Rule } from "./section.ts";

export const authenticationRules: Rule[] = [
  ...section("Login-state protocol", [
    "The client's login gives a code, which the client sends to the server.",
    "The server exchanges the code by code2Session and answers a session token in the status package.",
    "After that, the results of getUserInfo and getPhoneNumber complete the login.",
    "Only a getUserInfo whose errMsg is getUserInfo:ok counts.",
    "Only a getPhoneNumber whose errMsg is getPhoneNumber:ok counts.",
  ]),
  ...section("Login conditions", [
    "No token or a worthless one: 401, and the client logs in and gets a new token.",
    "A valid token without user info: 401 with WWW-Authenticate getUserInfo, and the client makes that call.",
    "A valid token without a phone number: 401 with WWW-Authenticate getPhoneNumber, and the client makes that call.",
  ]),
  ...section("Header spelling", [
    "A client reads Www-Authenticate, WWW-Authenticate, www-authenticate and WWW-AUTHENTICATE, in this order.",
  ]),
  ...section("Permission rules", [
    "getUserInfo and getPhoneNumber prompt the first time.",
    "After a rejection they prompt again.",
    "Once allowed, they give data without a prompt.",
    "A location request gives data without a prompt once it is allowed.",
    "After a rejection, a location request gives nothing and does not prompt: the client leads the user to the settings.",
    "The user can change what is allowed in the settings.",
  ]),
  ...section("HTTP Basic", [
    "Authorization: Basic with the base64 of user:password is understood.",
    "It is discouraged: off unless it is switched on, and the API description says why.",
    "It makes a browser ask for user and password.",
  ]),
  ...section("Token", [
    "How a request carries the token is decided, and the API description says it.",
    "The token's form and lifetime are decided: unguessable, and of a length that is configured.",
  ]),
];

const errorStatuses = numbered("Errors", [
  ["200", "200: the request succeeded."],
  ["201", "201: POST has created a resource."],
  ["202", "202: received and not yet acted on; no later channel for a result."],
  ["204", "204: a PUT or DELETE that succeeded, without a body."],
  ["301", "301: a permanent redirect."],
  ["302", "302: a temporary redirect."],
  ["307", "307: a temporary redirect that keeps a POST a POST."],
  ["400.1", "400: a required field is missing."],
  ["400.2", "400: the content is too long."],
  ["400.3", "400: the page size is over the limit."],
  ["400.4", "400: a query that begins with & where the normalization is off."],
  ["400.5", "400: the same request is refused the same way again, and changes nothing."],
  ["401.1", "401: not authenticated or not logged in; the header says the step."],
  ["401.2", "401: the same request works once the client has authenticated."],
  ["403.1", "403: a wrong password."],
  ["403.2", "403: deleting another user's article."],
  ["403.3", "403: the address is banned."],
  ["403.4", "403: it stays refused when it is repeated."],
  ["404.1", "404: there is no such resource."],
  ["404.2", "404 is not for what exists but is denied: that is 403."],
  ["405", "405: the verb is not enabled there."],
  ["500", "500: something unexpected, such as a failing database."],
  ["503.1", "503: maintenance."],
  ["503.2", "503: overload."],
  ["503.3", "503: a lock is held while something is done one at a time, such as a raffle."],
]);

export const errorRules: Rule[] = [
  ...section("Events", [
    "A payment result notification comes in by itself.",
    "The watcher reports modify, attrib, move, create and delete as df and ev.",
  ]),
  ...section("Payment notification", [
    "It carries return_code and result_code.",
    "Its return_code is expected to be SUCCESS.",
    "Its result_code is not trusted: query order is called, and trade_state decides.",
    "Its other fields are decided.",
  ]),
  ...errorStatuses,
  ...section("More error rules", [
    "Code raises an error by throwing one that carries a status and a message, and the client gets both.",
    "A failed upload is JSON with success false and err_msg.",
    "Payments: return_code FAIL is a failed communication, result_code FAIL a failed action.",
    "A 500 of the description route has the one field Message.",
    "The error body and the codes are decided, the same for every error, and the API description shows them.",
  ]),
  ...section("Limits", [
    "MaxSizeOfSigleFile_MB, in MB, is the most that one uploaded file may have.",
    "Accepted extensions: zip, rar, 7z, psd, ai, cdr, jpg, png, gif, tif, webp.",
    "Several files must come in one archive.",
    "A page size has a limit, above which it is 400.",
    "The host of a model is advised 8 GB of memory for 7b, 16 for 13b, 32 for 33b.",
    "The model service's port is 11434 by default.",
    "The number of requests has no limit.",
  ]),
  ...section("Versioning", [
    "The machine-readable description is at the segment v1.",
    "The endpoints' own paths carry no version.",
  ]),
];
