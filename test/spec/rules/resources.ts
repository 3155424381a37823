/** The specification's parts on the service as a whole, its resources and their fields, and states. */
import { section, type Rule } from "./section.ts";

export const resourceRules: Rule[] = [
  ...section("Service", [
    "Resources live at paths of plural nouns and are answered as JSON or XML.",
    "A client that still has to do something hears 401, and a response header says what.",
    "Files come in as multipart form data.",
    "A page in the server describes its API and lets one try it.",
    "Payment notifications and query results are taken in and judged by the three status fields.",
    "A watcher script's file-change notifications are taken in.",
    "A local model service of its own generates text and chats over HTTP.",
    "The parts work without each other.",
  ]),

  ...section("Status package fields", [
    "access_token, the session token, is a string and always there.",
    "The token's validity is a number of seconds.",
    "A boolean says whether user info is known, where the business needs it.",
    "A boolean says whether the phone number is known, only where the phone number identifies the user.",
    "uid has a value once the phone number is known, and is empty before.",
    "Fields of the business's own may stand beside them without touching the fixed ones.",
    "A client keeps the package in local storage and is known by it later.",
  ]),
  ...section("Status package", [
    "The token alone leads the server to all that it knows of the user.",
    "session_key, openid, unionid and the phone number are never in the package.",
    "The phone number is to be had by a call of its own.",
    "Where the phone number is not the identity, the package has just uid, and a filled uid means logged in.",
    "Only the names uid and access_token are fixed; the API description names the other fields.",
  ]),

  ...section("Session result", [
    "session_key stays on the server.",
    "openid comes with the login alone, without anything that the user must allow.",
    "unionid may be missing from the result.",
  ]),
  ...section("Union id", [
    "unionid is told only for an app that is bound to the open platform.",
    "Even then it is sure only after the user has allowed getUserInfo; before, only in special cases such as a followed account of the same owner.",
    "What code2Session, getUserInfo and getPhoneNumber gave is stored against the user.",
  ]),

  ...section("Upload result", [
    "success is a boolean, false on failure.",
    "err_msg is a text for the user, there on failure.",
    "id is an integer that identifies the file, there on success.",
  ]),
  ...section("File-change fields", [
    "df is the changed file's directory and name.",
    "ev is the name of the change as the watcher reports it.",
  ]),
  ...section("Payment status fields", [
    "return_code is SUCCESS or FAIL and tells of the communication only.",
    "result_code is SUCCESS or FAIL and tells whether one call or callback did what it was for.",
    "trade_state is the order's state.",
    "The order record's other fields are described by the API description.",
  ]),
  ...section("Model requests", [
    "generate takes model, a name of the form <name>:<size>.",
    "generate takes prompt, a string.",
    "chat takes model.",
    "chat takes messages, objects with role and content.",
  ]),
  ...section("Trade state", [
    "SUCCESS: paid.",
    "REFUND: turned into a refund.",
    "NOTPAY: not paid yet.",
    "CLOSED: closed.",
    "REVOKED: taken back (scan-code payment).",
    "USERPAYING: the user is at it (scan-code payment).",
    "PAYERROR: failed for another reason, such as the bank.",
    "Which state follows which is decided and the API description shows it.",
  ]),
];
