import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { byteText } from "../../process/terminal/byte-text.ts";
import { enoughBytes, neededRoom, roomIn, roomProblem } from "../../process/disk-room.ts";
import { isPlacing } from "../../store/backup/restored-data.ts";
import { newerVersion } from "../../supervisor/data-directory/data-version.ts";
import { findSocketFolder } from "../../supervisor/runner-socket.ts";
import { findings, type DoctorCheck, type Finding } from "./check.ts";
import { shellWord } from "../../contract/shell-words.ts";

const othersMay = 0o077;

/** File systems by their numbers in Linux. Those of a network have no reliable locks or shared memory. */
const networks = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB"],
  [0xff534d42, "CIFS"],
  [0x01021997, "9p"],
  [0x00c36400, "Ceph"],
  [0x5346414f, "AFS"],
]);

/** The folder, or its nearest existing parent. */
function existing(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existing(dirname(path));
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function directoryFinding(dir: string, place: string): Finding {
  const { ok, warning, problem } = findings("data directory");
  const { mode, uid } = statSync(place);
  if (!statSync(place).isDirectory()) return problem(`${place} is not a folder: choose another with --data-dir`);
  if (!isWritable(place)) return problem(`${place} cannot be written: choose another with --data-dir`);
  if (place !== dir) return ok(`${dir} does not exist yet: the first start creates it`);
  if (uid !== process.getuid?.())
    return warning(
      `${dir} belongs to another user (${String(uid)}): files created from here may not belong to that user`,
    );
  if ((mode & othersMay) !== 0)
    return warning(
      `${dir} is open to other users of this machine (mode ${(mode & 0o777).toString(8)}): chmod 700 ${shellWord(dir, process.platform)}`,
    );
  return ok(`${dir}, readable only by its owner`);
}

function diskFinding(place: string): Finding {
  const { ok, warning, problem } = findings("disk");
  const none = roomProblem(place);
  if (none !== undefined) return problem(none);
  const { bytes } = roomIn(place);
  const free = `${byteText(bytes)} are free for the data directory`;
  if (bytes < enoughBytes) return warning(`${free}, less than ${byteText(enoughBytes)}: free some space`);
  return ok(`${free} (a start needs ${byteText(neededRoom.bytes)})`);
}

/** Checks whether the data directory can be used, and which process uses it. */
export const checkDataDirectory: DoctorCheck = async function* ({
  settings: { data_dir: dir },
  version,
  running,
  inUse,
}) {
  const place = existing(dir);
  yield directoryFinding(dir, place);
  const newer = newerVersion(dir, version);
  if (newer !== undefined)
    yield findings("version").problem(
      `${dir} was last used by Hearth ${newer}, which is newer than this version ${version}. Start the newer one, or choose another folder with --data-dir`,
    );
  if (isPlacing(dir) && !inUse)
    yield findings("restore").warning(
      `a restore into ${dir} was interrupted, and some data is missing: start Hearth to complete it`,
    );
  yield diskFinding(place);
  const network = process.platform === "linux" ? networks.get(statfsSync(place).type) : undefined;
  if (network !== undefined)
    yield findings("file system").warning(
      `${place} is on a network file system (${network}), which may damage databases: choose a local folder with --data-dir`,
    );
  const { ok, warning } = findings("running");
  if (running !== undefined)
    yield ok(`Hearth runs here (pid ${String(running.pid)}): ${running.console ?? "starting"}`);
  else if (inUse)
    yield warning(
      "a Hearth that does not respond locks the data directory, perhaps from another container: no other Hearth can start here",
    );
  else yield ok("no Hearth uses the data directory");
  const { folder, isTaken } = findSocketFolder(dir);
  const sockets = findings("sockets");
  if (isTaken) yield sockets.warning(`${folder} belongs to another user: a start uses another folder next to it`);
  else if (isWritable(existing(folder))) yield sockets.ok(folder);
  else
    yield sockets.problem(`${dirname(folder)} cannot be written, so no model can run: set TMPDIR to a writable folder`);
};
