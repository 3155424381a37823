/** Export and import of all data, for backups and for the fixtures of tests. */
import { dataDocument, exportQuery, importResult } from "./data-transfer.ts";
import { endpoint } from "../../endpoint.ts";

const base = { tag: "data", path: "/console/api/data", access: "console", status: 200 } as const;
const taken = { ...base, body: dataDocument, maxBodyBytes: 64 * 1024 * 1024, data: importResult } as const;

/**
 * Exports all collections, with ids, owners and versions, and the list of uploads without their content. Secret fields
 * are omitted by default; `secrets=include` adds them.
 */
export const exportData = endpoint({
  ...base,
  id: "exportData",
  method: "GET",
  query: exportQuery,
  data: dataDocument,
});

/**
 * Replaces all collections with the document. Collections that the document omits are emptied. The operation is atomic:
 * an error changes nothing, and the answer names the record and the field. Omitted secret fields are kept if a record
 * with the same id exists.
 */
export const replaceData = endpoint({ ...taken, id: "replaceData", method: "PUT" });

/**
 * Merges the records of the document into the existing data. A record with an existing id is replaced, and its version
 * increases; ids of deleted items count as existing. The operation is atomic, as with PUT.
 */
export const mergeData = endpoint({ ...taken, id: "mergeData", method: "POST" });
