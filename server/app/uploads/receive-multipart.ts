import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline, type Readable } from "node:stream";
import type { Request, Response } from "express";
import multer, { MulterError, type StorageEngine } from "multer";
import { readingBody } from "../../http/connection/bodies/body-watch.ts";
import { checkCoding } from "../../http/formats/read-body.ts";
import { HttpError, refuse } from "../../http/http-error.ts";
import { DelimiterPadding } from "./delimiter-padding.ts";
import { UploadFailed } from "./upload-failed.ts";
import type { ReceivedFile, Uploads } from "./uploads-service.ts";

/** A complete multipart request: its one file, stored, and its text fields. */
export interface MultipartForm {
  readonly file: ReceivedFile;
  readonly fields: Readonly<Record<string, string>>;
}

interface Rules {
  readonly kind: "upload" | "avatar";
  /** Name of the file part. */
  readonly part: string;
  readonly maxBytes: number;
}

const mostFields = 20;

/** The boundary in a media type; undefined for other types. @throws HttpError 400 for multipart without a boundary */
function boundaryIn(header = ""): string | undefined {
  if (!/^\s*multipart\/form-data\s*(?:;|$)/i.test(header)) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(header) ?? [];
  const boundary = quoted?.replace(/\\(.)/gs, "$1") ?? plain;
  if (boundary === undefined) throw new UploadFailed("", refuse("upload.boundary"));
  return boundary;
}

/**
 * The body and its headers in the form that the parser reads. It takes neither a semicolon at the end of the media type
 * nor blanks in it, which RFC 9110 (5.6.6) allows, nor padding of delimiters.
 */
function forParser(req: IncomingMessage): Pick<IncomingMessage, "headers"> & Readable {
  const boundary = boundaryIn(req.headers["content-type"]);
  if (boundary === undefined) return req;
  req.headers["content-type"] = `multipart/form-data; boundary="${boundary.replace(/["\\]/g, "\\$&")}"`;
  // Where the request is cut, the pipeline destroys the last stream with an error, which the parser reports.
  const body = pipeline(req, new DelimiterPadding(boundary), () => undefined);
  return Object.assign(body, { headers: req.headers });
}

/** The fields as texts. Those that are named twice, or as `a[b]`, come as lists and objects. */
const textsOf = (body: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );

/**
 * Reads a multipart body with exactly one file and streams the file into the uploads.
 * @throws UploadFailed caused by an HttpError 400 that names the problem; the file is discarded
 */
export async function receiveMultipart(
  req: IncomingMessage,
  res: ServerResponse,
  uploads: Uploads,
  rules: Rules,
): Promise<MultipartForm> {
  checkCoding(req);
  const form = forParser(req) as Request; // multer uses the headers and the stream, and sets `body`
  let fileName = "";
  let incoming: { stream: Readable; received: Promise<ReceivedFile> } | undefined;
  const storage: StorageEngine = {
    _handleFile(_req, file, done) {
      const received = uploads.receive({ kind: rules.kind, fileName: file.originalname, content: file.stream });
      incoming = { stream: file.stream, received };
      received.then(
        ({ size }) => done(null, { size }),
        (error: unknown) => {
          file.stream.resume(); // the parser waits until the rest of the part is read
          done(error);
        },
      );
    },
    _removeFile: (_req, _file, done) => done(null),
  };
  const read = multer({
    storage,
    fileFilter: (_req, { fieldname, originalname }, take) => {
      fileName = originalname;
      // The parser puts U+FFFD in the place of bytes that are not UTF-8, such as those of a name in GBK.
      if (originalname.includes("\uFFFD")) take(refuse("upload.fileName", undefined, { field: rules.part }));
      else if (fieldname === rules.part) take(null, true);
      else take(new MulterError("LIMIT_UNEXPECTED_FILE", fieldname));
    },
    limits: {
      fileSize: Math.floor(rules.maxBytes),
      files: 1,
      fields: mostFields,
      fieldSize: 64 * 1024,
      parts: 25,
      // A field `a[N]` asks for a list of N items, through which the next field may have the parser walk.
      fieldArrayIndexLimit: mostFields - 1,
    },
    defParamCharset: "utf8", // file names in any language arrive as they were sent
  }).any();
  const parsed = new Promise<void>((resolve, reject) => {
    read(form, res as Response, (error: unknown) => {
      const failure = error instanceof Error ? error : new Error("upload failed", { cause: error });
      if (error === undefined || error === null) resolve();
      else reject(explain(error, rules) ?? failure);
    });
  });
  const { promise: late, reject: fail } = Promise.withResolvers<never>();
  const reading = readingBody(req, false, fail);
  let fields: MultipartForm["fields"];
  try {
    await Promise.race([parsed, late]).finally(reading.done);
    fields = textsOf((form.body ?? {}) as Record<string, unknown>);
    for (const [name, text] of Object.entries(fields))
      if (`${name}${text}`.includes("\uFFFD")) throw refuse("upload.field", { name }, { field: name });
  } catch (error) {
    // The parser may fail in the middle of a file, or after a complete one. Either is removed.
    incoming?.stream.destroy();
    const refused = await incoming?.received.then(
      (file) => uploads.discard(file).catch(() => undefined),
      (reason: unknown) => reason,
    );
    const isCut = req.destroyed && !req.complete;
    if (isCut) throw new UploadFailed(fileName, refuse("upload.incomplete", undefined, { cause: error }));
    // A store that refuses a file aborts its stream. The parser reports that before the refusal.
    const isAborted = error instanceof Error && error.name === "AbortError";
    throw new UploadFailed(fileName, isAborted ? (refused ?? error) : error);
  }
  if (!incoming) throw new UploadFailed("", refuse("upload.missing", { part: rules.part }, { field: rules.part }));
  return { file: await incoming.received, fields };
}

/** The refusals of multer and its parser, in words for the client. */
function explain(error: unknown, { kind, part, maxBytes }: Rules): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (error instanceof MulterError) {
    if (error.code === "LIMIT_FILE_SIZE")
      return refuse("upload.tooLarge", { megabytes: maxBytes / 1_048_576 }, { field: part });
    if (error.code === "LIMIT_FILE_COUNT")
      return refuse(kind === "avatar" ? "upload.onePicture" : "upload.oneFile", undefined, { field: part });
    if (error.code === "LIMIT_UNEXPECTED_FILE")
      return refuse("upload.part", { part, field: error.field ?? "" }, { field: error.field });
    // The types lack this code.
    if ((error.code as string) === "LIMIT_FIELD_ARRAY_INDEX")
      return refuse("upload.list", { field: error.field ?? "" }, { field: error.field });
    return refuse("upload.form", { problem: error.message }, { field: error.field });
  }
  if (error instanceof Error && /multipart|boundary|form|header/i.test(error.message))
    return refuse("upload.multipart", { problem: error.message });
  return undefined;
}
