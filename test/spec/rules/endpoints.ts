/** The specification's part on endpoints. */
import { section, type Rule } from "./section.ts";

export const endpointRules: Rule[] = [
  ...section("Endpoints", [
    "A payload is JSON where nothing else is said.",
    "Each endpoint asks for the authentication that its part of the specification says.",
  ]),
  ...section("Path shape", [
    "Resources are at /api/<plural noun> and /api/<plural noun>/<id>.",
    "Names of resources are plural nouns.",
    "Filtering, paging and searching are in the query.",
  ]),
  ...section("REST methods", [
    "GET reads one or many: an object or an array.",
    "POST creates one and answers it.",
    "PUT replaces one and answers it, or 204 without a body.",
    "DELETE deletes one and answers 204 without a body.",
    "PATCH changes a part of one.",
    "HEAD answers the headers alone.",
    "OPTIONS answers what the resource allows and asks for.",
  ]),
  ...section("Generic REST conventions", [
    "Results are JSON or XML.",
    "Secret fields, such as passwords, are never answered.",
    "A verb that the resource does not know is answered 405.",
    "Null properties may be left out and indentation is optional; non-ASCII is escaped unless the relaxed mode is on.",
  ]),
  ...section("Query-string normalization", [
    "A GET whose query begins with & is redirected to the same path without that &.",
    "It holds for every GET endpoint.",
    "The original query is not appended a second time.",
    "While testing, the redirect is a temporary one: 302 or 307.",
    "When final, it is a permanent one: 301.",
    "Without the rule, such a request is answered 400.",
  ]),
  ...section("Business endpoints", [
    "Each carries the status package in its result.",
    "Each applies the 401 protocol.",
  ]),
  ...section("Avatar upload", [
    "It is a POST of multipart/form-data.",
    "Its one file part is named Avatar.",
    "Success redirects to a page.",
  ]),
  ...section("Component upload", [
    "It is a POST of multipart/form-data.",
    "The file part is named [].",
    "A form field named type holds a short category word.",
    "The answer is the upload result.",
  ]),
  ...section("Upload routes", ["Both upload operations have routes of their own, which the API description shows."]),
  ...section("API description UI", [
    "GET /swagger answers an interactive page.",
    "GET /swagger/docs/v1 answers the machine-readable description of v1.",
    "Operations have descriptions only if the documentation file is there for every build configuration.",
    "With the option on, enum parameters are shown by text; otherwise by index.",
    "If the running configuration's documentation file is missing, GET /swagger/docs/v1 is 500 with JSON of the one field Message.",
  ]),
  ...section("File-change receiver", [
    "Notifications are POSTed to /api/inotify/.",
    "They are forms with df and ev.",
    "The watcher sends one for each change.",
    "Regular expressions on the sender's side leave paths out.",
    "What the receiver answers is decided and the API description says it.",
  ]),
  ...section("Payment operations", [
    "An order is placed by unified order.",
    "An order is looked up by query order.",
    "An order is closed by close order.",
    "The payment result notification comes in.",
    "Their paths and fields are decided and the API description shows them.",
  ]),
  ...section("Model endpoints", [
    "POST /api/generate takes JSON with model and prompt and generates once.",
    "POST /api/chat takes JSON with model and messages and answers the conversation.",
    "The service's port is 11434 unless it is configured.",
    "The service's port can be configured.",
    "Reply shapes, streaming and optional fields are decided: chunks of JSON lines, or one object with stream off.",
  ]),
  ...section("Cross-origin access", [
    "A page of an allowed origin gets Access-Control-Allow-Origin.",
    "A page of any other origin gets no such header, so its browser blocks the call.",
  ]),
];
