/** YAML as data. Imported only for a document that is no JSON, because the parser takes time to load. */
import { parse } from "yaml";

/** Dates and the like stay texts, as in JSON. An alias cannot multiply the document. @throws Error for invalid YAML */
export const parseYaml = (text: string): unknown => parse(text, { schema: "core", logLevel: "error" });
