/** Export and import of all data, for backups and for the fixtures of tests. */
import { dataDocument, exportQuery, importResult } from "./data-transfer.ts";
import { endpoint } from "../../endpoint.ts";

const base = { tag: "data", path: "/console/api/data", access: "console", status: 200 } as const;
const taken = { ...base, body: dataDocument, maxBodyBytes: 64 * 1024 * 1024, data: importResult } as const;

/**
 * Answers everything that the collections hold, with ids, owners and versions, and what has been uploaded without its
 * content. Fields that are never answered elsewhere are left out unless `secrets=include` asks for them.
 */
export const exportData = endpoint({
  ...base,
  id: "exportData",
  method: "GET",
  query: exportQuery,
  data: dataDocument,
});

/**
 * Makes the collections hold what the document says and nothing else; a collection that it does not name is empty
 * afterwards. All or nothing: a document with a fault changes nothing, and the answer names the record and the field. Secret
 * fields that the document leaves out are kept where there is a record with the same id.
 */
export const replaceData = endpoint({ ...taken, id: "replaceData", method: "PUT" });

/**
 * Adds the records of the document to those that are there. One with an id that is there takes its place and gets a higher
 * version, and so does one whose id a deleted item had. All or nothing, as with PUT.
 */
export const mergeData = endpoint({ ...taken, id: "mergeData", method: "POST" });
