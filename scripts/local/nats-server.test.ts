import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findNatsServer } from "./nats-server.ts";
import { isAtLeast, natsBinary } from "./nats-version.ts";

let dir: string;
const names = ["PATH", "NATS_SERVER_BIN", "XDG_CACHE_HOME"] as const;
const before = Object.fromEntries(names.map((name) => [name, process.env[name]]));

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "leeway-find-"));
});
afterEach(() => {
  for (const name of names) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Writes a program that reports itself as nats-server `version`. */
async function program(folder: string, version: string): Promise<string> {
  const path = join(dir, folder, "nats-server");
  await Bun.write(path, `#!/bin/sh\necho "nats-server: v${version}"\n`);
  await chmod(path, 0o755);
  return path;
}

const find = () => findNatsServer({ say: () => undefined });

describe("finding a nats-server", () => {
  test("uses NATS_SERVER_BIN before any other", async () => {
    const path = await program("named", "2.9.10");
    process.env["NATS_SERVER_BIN"] = path;
    expect(await find()).toEqual({ path, version: "2.9.10" });
  });

  test("refuses a NATS_SERVER_BIN that is too old or isn't a nats-server", async () => {
    for (const path of [await program("old", "2.8.4"), "/bin/true", join(dir, "absent")]) {
      process.env["NATS_SERVER_BIN"] = path;
      expect(find()).rejects.toThrow(`NATS_SERVER_BIN names ${path}, which is no nats-server 2.9 or newer`);
    }
  });

  test("uses an installed one if it is recent, otherwise the downloaded one", async () => {
    delete process.env["NATS_SERVER_BIN"];
    process.env["XDG_CACHE_HOME"] = join(dir, "cache");
    const fetched = await program("cache/leeway", "2.12.15");
    const installed = await program("bin", "2.10.0");
    process.env["PATH"] = `${join(dir, "bin")}:${before["PATH"]}`;
    expect((await find()).path).toBe(installed);
    await program("bin", "2.9.25");
    expect((await find()).path).toBe(fetched);
  });

  test("ignores a file that isn't executable", async () => {
    const path = join(dir, "text");
    await writeFile(path, "nats-server: v2.12.0");
    expect(await natsBinary(path)).toBeUndefined();
  });
});

describe("a version", () => {
  test.each([
    ["2.10.0", "2.10", true],
    ["2.9.25", "2.10", false],
    ["2.10.27", "2.9", true],
    ["3.0.0", "2.10", true],
    ["1.99.99", "2.9", false],
    ["2.9", "2.9.1", false],
  ])("%s is %s or newer: %p", (version, floor, expected) => {
    expect(isAtLeast(version, floor)).toBe(expected);
  });

  test("is at least itself, and of two versions exactly one is newer", () => {
    const version = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)).map((parts) => parts.join("."));
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(isAtLeast(a, a)).toBe(true);
        if (a !== b) expect(isAtLeast(a, b)).toBe(!isAtLeast(b, a));
      }),
    );
  });
});
