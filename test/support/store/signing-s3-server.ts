/**
 * A bucket of a store that checks the signatures of objects' requests and links: the maintained heir of npm's `s3rver`.
 * It refuses the SDK's lists, and names with quotes, whose signatures it computes in another way than Amazon's store.
 */
import { createRequire } from "node:module";
import { temporaryFolder } from "../temporary-folder.ts";

interface S3rver {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}
const require = createRequire(import.meta.url);

/** The only key that it knows. */
const key = { id: "S3RVER", secret: "S3RVER" };

export async function startSigningS3Server() {
  const folder = temporaryFolder();
  const Server = require("@20minutes/s3rver") as new (options: object) => S3rver;
  const server = new Server({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory: folder.path,
    vhostBuckets: false,
    configureBuckets: [{ name: "signed" }],
  });
  const { port } = await server.run();
  return {
    settings: {
      uploads_bucket: "signed",
      uploads_endpoint: `http://127.0.0.1:${String(port)}`,
      uploads_key_id: key.id,
      uploads_secret_key: key.secret,
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      folder[Symbol.dispose]();
    },
  };
}
