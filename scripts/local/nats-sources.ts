import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { messageOf, run, succeeds } from "./command.ts";
import { NATS_IMAGE } from "./images.ts";

/** A source of nats-server binaries. */
export interface NatsSource {
  name: string;
  /**
   * Returns the path of the binary: in `folder`, or where a package manager installed it. @throws {Error} with the
   * reason why it isn't available
   */
  fetch: (folder: string, signal?: AbortSignal) => Promise<string>;
}

/** Sources in the order in which they are tried. */
export const NATS_SOURCES: readonly NatsSource[] = [
  { name: "its official release", fetch: fromRelease },
  { name: "Homebrew", fetch: fromHomebrew },
  { name: "the Debian package", fetch: fromDebian },
  { name: "the Docker image", fetch: fromDocker },
];

const RELEASE = "2.12.15";

/** SHA-256 from the project's Dockerfiles (github.com/nats-io/nats-docker), which have no checksums for macOS. */
const RELEASE_SHA256: Readonly<Record<string, string>> = {
  "linux-x64": "58ab8131f819263897e2fc38e503e1b755b63bcafeecc7d12582487df48ca15e",
  "linux-arm64": "b724db99fefbf8f5c808baa82819ee50350aee9734017e4a478f7e545cef3ab6",
};

async function fromRelease(folder: string, signal?: AbortSignal): Promise<string> {
  const sha256 = RELEASE_SHA256[`${process.platform}-${process.arch}`];
  if (sha256 === undefined) throw new Error(`no pinned sum for ${process.platform}-${process.arch}`);
  const name = `nats-server-v${RELEASE}-linux-${process.arch === "x64" ? "amd64" : "arm64"}`;
  const url = `https://github.com/nats-io/nats-server/releases/download/v${RELEASE}/${name}.tar.gz`;
  const archive = await download(url, signal);
  if (new Bun.CryptoHasher("sha256").update(archive).digest("hex") !== sha256) {
    throw new Error(`${url} is not what was pinned`);
  }
  const file = join(folder, "release.tar.gz");
  await writeFile(file, archive);
  await run(["tar", "-xzf", file, "-C", folder], { signal });
  return join(folder, name, "nats-server");
}

/** Downloads a file. Fails after 5 s without an answer, because blocked networks rarely refuse a connection. */
async function download(url: string, signal?: AbortSignal): Promise<Uint8Array> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error("no answer within 5 s")), 5000);
  const limits = [silence.signal, AbortSignal.timeout(120_000), ...(signal ? [signal] : [])];
  try {
    const response = await fetch(url, { signal: AbortSignal.any(limits) });
    clearTimeout(timer);
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    return await response.bytes();
  } finally {
    clearTimeout(timer);
  }
}

async function fromHomebrew(_folder: string, signal?: AbortSignal): Promise<string> {
  const brew = Bun.which("brew");
  if (brew === null) throw new Error("not installed");
  await run([brew, "install", "nats-server"], { signal, timeoutMs: 600_000 });
  return join(await run([brew, "--prefix"]), "bin", "nats-server");
}

async function fromDebian(folder: string, signal?: AbortSignal): Promise<string> {
  if (Bun.which("apt-get") === null || Bun.which("dpkg-deb") === null) throw new Error("no apt here");
  const complaints: string[] = [];
  for (const source of await debianSources(folder)) {
    try {
      return await fromApt(folder, source, signal);
    } catch (error) {
      complaints.push(messageOf(error));
    }
  }
  throw new Error(complaints.join("\n"));
}

/**
 * Returns apt options for the package source, by preference. Debian 13's nats-server is new enough; Debian 12's
 * isn't.
 */
async function debianSources(folder: string): Promise<string[][]> {
  const system: string[] = [];
  const release = await readFile("/etc/os-release", "utf8").catch(() => "");
  const version = Number(/^VERSION_ID="?(\d+)/m.exec(release)?.[1] ?? Infinity);
  if (!/^ID=debian$/m.test(release) || version >= 13) return [system];
  const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
  const signedBy = existsSync(keyring) ? `[signed-by=${keyring}] ` : "";
  const list = join(folder, "trixie.list");
  await writeFile(list, `deb ${signedBy}http://deb.debian.org/debian trixie main\n`);
  return [["-o", `Dir::Etc::SourceList=${list}`, "-o", "Dir::Etc::SourceParts=/dev/null"], system];
}

/** Downloads the package with separate lists and caches, so it needs no root and leaves the system's unchanged. */
async function fromApt(folder: string, source: readonly string[], signal?: AbortSignal): Promise<string> {
  await mkdir(join(folder, "lists/partial"), { recursive: true });
  await mkdir(join(folder, "cache/archives/partial"), { recursive: true });
  const settings = [
    `Dir::State::Lists=${folder}/lists`,
    `Dir::Cache=${folder}/cache`,
    "APT::Sandbox::User=root",
    "Acquire::Languages=none",
    "Acquire::Retries=0",
    "Acquire::http::Timeout=10",
    "Acquire::https::Timeout=10",
  ];
  const apt = ["apt-get", "-q", ...source, ...settings.flatMap((setting) => ["-o", setting])];
  await run([...apt, "update"], { cwd: folder, signal });
  await run([...apt, "download", "nats-server"], { cwd: folder, signal });
  const [deb] = await Array.fromAsync(new Bun.Glob("nats-server_*.deb").scan(folder));
  if (deb === undefined) throw new Error("apt-get downloaded nothing");
  await run(["dpkg-deb", "-x", join(folder, deb), folder]);
  return join(folder, "usr/sbin/nats-server");
}

/** Copies the binary from the image. It is static, so it runs without a container. */
async function fromDocker(folder: string, signal?: AbortSignal): Promise<string> {
  if (process.platform !== "linux") throw new Error("its binary is for Linux");
  if (!(await succeeds(["docker", "info"], { timeoutMs: 2000 }))) throw new Error("no Docker engine answers");
  const present = await succeeds(["docker", "image", "inspect", NATS_IMAGE]);
  if (!present) await run(["docker", "pull", "-q", NATS_IMAGE], { signal });
  const container = await run(["docker", "create", NATS_IMAGE]);
  const path = join(folder, "nats-server");
  try {
    await run(["docker", "cp", `${container}:/usr/local/bin/nats-server`, path]);
  } finally {
    await run(["docker", "rm", container]);
  }
  await chmod(path, 0o755);
  return path;
}
