import { chmod, copyFile, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import { lastLines, messageOf } from "./command.ts";
import { cacheDir } from "./files.ts";
import { NATS_SOURCES, type NatsSource } from "./nats-sources.ts";
import { isAtLeast, type NatsBinary, natsBinary, OLDEST, WANTED } from "./nats-version.ts";

export interface Search {
  /** Reports slow steps. */
  say: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Finds a nats-server: the one at NATS_SERVER_BIN, an installed one or a cached one. Otherwise downloads one to the
 * cache.
 * @throws {Error} with one line about what to install
 */
export async function findNatsServer(search: Search): Promise<NatsBinary> {
  const named = process.env["NATS_SERVER_BIN"];
  if (named) return namedBinary(named);

  const installed = await installedBinary();
  if (installed && isAtLeast(installed.version, WANTED)) return installed;
  const kept = join(await cacheDir(), "nats-server");
  const found = (await natsBinary(kept)) ?? (await fetchBinary(kept, search)) ?? installed;
  if (found) return found;
  throw new Error(
    `no nats-server ${OLDEST} or newer here and none to be had: install it ` +
      "(apt-get or brew install nats-server, or https://github.com/nats-io/nats-server/releases), " +
      "or name one in NATS_SERVER_BIN",
  );
}

async function namedBinary(path: string): Promise<NatsBinary> {
  const binary = await natsBinary(path);
  if (binary) return binary;
  throw new Error(`NATS_SERVER_BIN names ${path}, which is no nats-server ${OLDEST} or newer`);
}

/** Finds an installed binary. Debian installs servers outside an ordinary user's PATH. */
async function installedBinary(): Promise<NatsBinary | undefined> {
  for (const path of [
    Bun.which("nats-server", { PATH: process.env["PATH"] ?? "" }),
    "/usr/sbin/nats-server",
  ]) {
    const binary = path === null ? undefined : await natsBinary(path);
    if (binary) return binary;
  }
  return undefined;
}

/** Tries the sources in order, and says in one line where the binary is from and what its SHA-256 is. */
async function fetchBinary(kept: string, search: Search): Promise<NatsBinary | undefined> {
  const folder = await mkdtemp(`${kept}-`);
  const problems: string[] = [];
  try {
    for (const source of NATS_SOURCES) {
      const fetched = await fetchFrom(source, folder, { search, problems });
      const binary = fetched && (await keep(fetched.path, kept));
      if (!binary) continue;
      const digest = new Bun.CryptoHasher("sha256").update(await Bun.file(binary.path).bytes()).digest("hex");
      search.say(`nats-server ${binary.version}: ${source.name}, kept as ${binary.path} (SHA-256 ${digest})`);
      return binary;
    }
    for (const problem of problems) search.say(problem);
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fetchFrom(
  source: NatsSource,
  folder: string,
  { search, problems }: { search: Search; problems: string[] },
): Promise<NatsBinary | undefined> {
  try {
    const fetched = await natsBinary(await source.fetch(folder, search.signal));
    if (!fetched) problems.push(`${source.name}: too old, or for another machine`);
    return fetched;
  } catch (error) {
    search.signal?.throwIfAborted();
    problems.push(`${source.name}: ${lastLines(messageOf(error), 1)}`);
    return undefined;
  }
}

async function keep(path: string, kept: string): Promise<NatsBinary | undefined> {
  const draft = `${kept}.${process.pid}`;
  await copyFile(path, draft);
  await chmod(draft, 0o755);
  await rename(draft, kept);
  return natsBinary(kept);
}
