/** A newer version of an unpacked program, made from it: another version, and tables that the older one does not know. */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Before its first migration; the name puts it behind the last. */
const migrationsBegin = "var sessionsMigrations={";
const addedMigration = `"9999_added_later":{async up(db){await db.schema.createTable("added_later").addColumn("id","integer").execute()}},`;

interface ArchivedFile {
  size: number;
  /** From the end of the header. */
  offset: string;
}

/**
 * Replaces files of an asar archive: their new content is appended. The layout: four numbers (32 bits), the third of
 * which is the length of the padded header plus 4, the fourth that of the header, JSON; then the contents.
 */
function changeArchive(archive: Buffer, change: (name: string, content: string) => string | undefined): Buffer {
  const headerEnd = 8 + archive.readUInt32LE(4);
  const header = JSON.parse(archive.toString("utf8", 16, 16 + archive.readUInt32LE(12))) as {
    files: { dist: { files: Record<string, Partial<ArchivedFile>> } };
  };
  const contents = [archive.subarray(headerEnd)];
  let end = archive.length - headerEnd;
  for (const [name, file] of Object.entries(header.files.dist.files)) {
    // Folders, and files outside the archive, have none.
    if (file.offset === undefined || file.size === undefined) continue;
    const from = headerEnd + Number(file.offset);
    const changed = change(name, archive.toString("utf8", from, from + file.size));
    if (changed === undefined) continue;
    const content = Buffer.from(changed);
    Object.assign(file, { size: content.length, offset: String(end) });
    contents.push(content);
    end += content.length;
  }
  const text = Buffer.from(JSON.stringify(header));
  const padded = Math.ceil(text.length / 4) * 4;
  const head = Buffer.alloc(16 + padded);
  for (const [index, number] of [4, padded + 8, padded + 4, text.length].entries())
    head.writeUInt32LE(number, 4 * index);
  text.copy(head, 16);
  return Buffer.concat([head, ...contents]);
}

/**
 * Puts the newer program beside the older one, with which it shares all other files.
 * @param version of as many characters as the older one's
 * @returns its binary
 */
export function newerProgram(binary: string, folder: string, from: string, version: string): string {
  execFileSync("cp", ["-al", dirname(binary), folder]);
  const file = join(folder, "resources/app.asar");
  let changedFiles = 0;
  const changed = changeArchive(readFileSync(file), (_name, content) => {
    if (!content.includes(migrationsBegin)) return undefined;
    changedFiles++;
    return content.replace(migrationsBegin, migrationsBegin + addedMigration);
  });
  if (changedFiles === 0) throw new Error("the program's migrations are not where they are expected");
  rmSync(file);
  writeFileSync(file, changed.toString("latin1").replaceAll(from, version), "latin1");
  return join(folder, basename(binary));
}
