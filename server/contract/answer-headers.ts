import { z } from "zod";
import { dictionary } from "./bounded-lists.ts";

/** The server writes these itself, or they belong to the connection. */
const ofServer = new Set(["content-length", "transfer-encoding", "connection", "keep-alive", "date", "upgrade"]);

/** Headers of an answer that a user defines. */
export const answerHeaders = dictionary(
  z
    .string()
    .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, "must be a header's name")
    .refine((name) => !ofServer.has(name.toLowerCase()), "is written by the server: leave it out"),
  z.string().regex(/^[\t\u0020-\u007e\u0080-\u00ff]*$/, "must be one line of Latin-1"),
);
