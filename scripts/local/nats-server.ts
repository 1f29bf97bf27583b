import { chmod, copyFile, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import { lastLines, messageOf } from "./command.ts";
import { cacheDir } from "./files.ts";
import { NATS_SOURCES, type NatsSource } from "./nats-sources.ts";
import { isAtLeast, type NatsBinary, natsBinary, OLDEST, WANTED } from "./nats-version.ts";

export interface Search {
  /** Told what takes time. */
  say: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/**
 * A nats-server to run: the one that NATS_SERVER_BIN names, one that is installed, one that was fetched
 * before, else one fetched now and kept in the cache.
 * @throws {Error} in one line that says what to install.
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

/** Debian installs servers where an ordinary user's PATH doesn't look. */
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

async function fetchBinary(kept: string, search: Search): Promise<NatsBinary | undefined> {
  const folder = await mkdtemp(`${kept}-`);
  try {
    for (const source of NATS_SOURCES) {
      search.say(`Getting nats-server: ${source.name}`);
      const fetched = await fetchFrom(source, folder, search);
      if (fetched) return await keep(fetched.path, kept);
    }
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fetchFrom(
  source: NatsSource,
  folder: string,
  { say, signal }: Search,
): Promise<NatsBinary | undefined> {
  try {
    const fetched = await natsBinary(await source.fetch(folder, signal));
    if (!fetched) say("  it is too old, or made for another machine");
    return fetched;
  } catch (error) {
    signal?.throwIfAborted();
    say(`  ${lastLines(messageOf(error), 1)}`);
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
