import { expect, test } from "bun:test";

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Failure, failureOf } from "./failure.ts";
import { reasonOf } from "./reason.ts";

const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const coded = (code: string): Error => Object.assign(new Error(`open '/secret'`), { code });

test("unreadable files are explained", async () => {
  const folder = await mkdtemp(join(tmpdir(), "leeway-reason-"));
  expect(reasonOf(await caught(readFile(join(folder, "no"))))).toBe("no such file or directory");
  expect(reasonOf(await caught(readFile(folder)))).toBe("it is a directory");
  await rm(folder, { recursive: true });
});

test("unreachable hosts are explained", async () => {
  const server = Bun.serve({ port: 0, fetch: () => new Response() });
  const { origin } = server.url;
  await server.stop(true);
  expect(reasonOf(await caught(fetch(origin)))).toBe("connection refused");
  expect(reasonOf(await caught(fetch("http://leeway.invalid")))).toMatch(/resolve|name server/);
});

test.each<[string, unknown, string | RegExp]>([
  ["a system code", coded("EACCES"), "permission denied"],
  [
    "the code of a cause",
    new TypeError("fetch failed", { cause: coded("ENOTFOUND") }),
    "the host name doesn't resolve",
  ],
  [
    "a blocked port",
    new TypeError("fetch failed", { cause: new Error("bad port") }),
    "the runtime blocks this port",
  ],
  [
    "an untrusted certificate",
    coded("SELF_SIGNED_CERT_IN_CHAIN"),
    /^its certificate isn't trusted; add your own CA with NODE_EXTRA_CA_CERTS/,
  ],
  ["an unknown code", coded("EUNHEARDOF"), "unknown reason (EUNHEARDOF)"],
  ["an error without a code", new Error("open '/secret'"), "unknown reason"],
  ["no error", "/secret", "unknown reason"],
])("%s is explained without quoting the error", (_, error, reason) => {
  expect(reasonOf(error)).toMatch(reason);
  expect(reasonOf(error)).not.toContain("/secret");
});

test("a bug is reported with its type and location, without its message", () => {
  const error = new RangeError("hunter2\n    at hunter2");
  const { outcome, message } = failureOf(error);
  expect(outcome).toBe("internal");
  expect(message).toMatch(/^this is a bug in leeway, please report it: RangeError at .*reason\.test\.ts:\d+/);
  expect(message).not.toContain("hunter2");
  expect(failureOf(new Failure("usage", "x"))).toMatchObject({ outcome: "usage", message: "x" });
});
