import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { buildPackage } from "@leeway/cli/build";
import { CLI_DIR, PROGRAM } from "@leeway/cli/folder";
import manifest from "@leeway/cli/package.json" with { type: "json" };

import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const PATH = `/cli/${PROGRAM}`;

let gateway: TestGateway;
beforeAll(async () => {
  if (!existsSync(join(CLI_DIR, PROGRAM))) await buildPackage();
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

test("anyone can download the command line of the server's version, and check it", async () => {
  const script = `
    set -e
    cd "$(mktemp -d)"
    curl -fsSO ${gateway.url}${PATH}
    curl -fsS ${gateway.url}${PATH}.sha256 | sha256sum -c - >&2
    ${process.execPath} ${PROGRAM} version
    rm -r "$PWD"`;
  const child = Bun.spawn(["sh", "-c", script], { stdout: "pipe", stderr: "pipe" });
  const [output, messages] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect([await child.exited, output]).toEqual([0, `${manifest.version}\n`]);
  expect(messages).toBe(`${PROGRAM}: OK\n`);
});

test("a download is compressed if the client accepts it, and revalidated", async () => {
  const { headers } = await fetch(gateway.url + PATH, { headers: { "accept-encoding": "gzip" } });
  expect(headers.get("content-encoding")).toBe("gzip");
  const etag = headers.get("etag") ?? "";
  const again = await gateway.ask("GET", PATH, { headers: { "if-none-match": etag } });
  expect([again.status, again.text]).toEqual([304, ""]);
});

test("a browser downloads the program and never runs it, so that no page can", async () => {
  const { headers } = await gateway.ask("HEAD", PATH);
  expect(headers.get("content-type")).toBe("application/octet-stream");
  expect(headers.get("content-disposition")).toBe(`attachment; filename="${PROGRAM}"`);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test.each(["/cli", "/cli/", "/cli/package.json", "/cli/%2e%2e/package.json", `${PATH}/x`])(
  "%s is no file of the command line",
  async (path) => {
    const { status } = await gateway.ask("GET", path, { headers: { accept: "text/html" } });
    expect(status).toBe(404);
  },
);
