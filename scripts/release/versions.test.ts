import { afterAll, expect, test } from "bun:test";

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { headed, misfits, notesOf, versionIn, withVersion } from "./versions.ts";

const ROOT = join(import.meta.dir, "../..");
const folder = await mkdtemp(join(tmpdir(), "leeway-release-"));
afterAll(() => rm(folder, { recursive: true }));

test("packages, images and the chart have the version of package.json", async () => {
  expect(await misfits(ROOT, await versionIn(ROOT))).toEqual([]);
});

test("a new version reaches every file, and a file with another is named", async () => {
  await Bun.write(join(folder, "package.json"), '{\n  "version": "0.1.0",\n  "other": "0.1.0"\n}\n');
  await Bun.write(join(folder, "services/quota/package.json"), '{\n  "version": "0.1.0",\n}\n');
  await Bun.write(join(folder, "Dockerfile"), "ARG VERSION=0.1.0\nARG BASE=bun:0.1.0\n");
  await withVersion(folder, "1.2.3");
  expect(await Bun.file(join(folder, "Dockerfile")).text()).toBe("ARG VERSION=1.2.3\nARG BASE=bun:0.1.0\n");
  expect(await misfits(folder, "1.2.3")).toEqual([]);
  await Bun.write(join(folder, "Dockerfile"), "ARG VERSION=1.2.2\n");
  expect(await misfits(folder, "1.2.3")).toEqual(["Dockerfile has version 1.2.2, not 1.2.3"]);
});

test("a release's notes are what was unreleased", () => {
  const changelog =
    "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One\n\n## [0.1.0] - 2026-01-01\n\n- Old\n";
  const released = headed(changelog, "0.2.0", "2026-12-01");
  expect(notesOf(released, "0.2.0")).toBe("### Added\n\n- One");
  expect(notesOf(released, "Unreleased")).toBe("");
  expect(notesOf(released, "0.1.0")).toBe("- Old");
  expect(notesOf(released, "9.9.9")).toBe("");
});

/** Runs images.sh with programs that only note their arguments. */
async function images(...args: string[]): Promise<{ code: number; output: string; calls: string[] }> {
  const log = join(folder, "calls");
  await Bun.write(log, "");
  const note = `#!/bin/sh\necho "\${0##*/} $*" >>"${log}"\ncase "$*" in *inspect*) echo sha256:0abc ;; esac\n`;
  for (const name of ["docker", "cosign"]) {
    await Bun.write(join(folder, "bin", name), note);
    await chmod(join(folder, "bin", name), 0o755);
  }
  const child = Bun.spawn(["sh", "scripts/release/images.sh", ...args], {
    cwd: ROOT,
    env: { PATH: `${join(folder, "bin")}:${process.env["PATH"]}` },
    stdout: "pipe",
    stderr: "ignore",
  });
  const output = await child.stdout.text();
  const calls = (await Bun.file(log).text()).trim().split("\n");
  return { code: await child.exited, output, calls };
}

test("each image is built from a pinned base, with SBOM and provenance", async () => {
  const { code, calls } = await images("build", "ghcr.io/acme/leeway", "1.2.3", "arm64");
  expect(code).toBe(0);
  const builds = calls.filter((call) => call.includes("buildx build"));
  expect(builds.map((call) => /--tag (\S+)/.exec(call)?.[1])).toEqual(
    ["gateway", "inventory", "webhooks", "quota", "analyzer", "tools", "trial"].map(
      (image) => `ghcr.io/acme/leeway/${image}:1.2.3-arm64`,
    ),
  );
  for (const build of builds) {
    expect(build).toContain("--platform linux/arm64");
    expect(build).toContain("--sbom=true --provenance=mode=max --push");
    expect(build).toMatch(
      /BASE=oven\/bun:\S+-slim@sha256:0abc .*RUNTIME=oven\/bun:\S+-distroless@sha256:0abc/,
    );
    expect(build).toMatch(/REVISION=[0-9a-f]{40}/);
  }
});

test("both architectures become one image, signed by digest", async () => {
  const { code, output, calls } = await images("join", "ghcr.io/acme/leeway", "1.2.3", "amd64", "arm64");
  expect([code, output.split("\n")[0]]).toEqual([0, "ghcr.io/acme/leeway/gateway@sha256:0abc"]);
  expect(calls).toContain(
    "docker buildx imagetools create --tag ghcr.io/acme/leeway/trial:1.2.3 " +
      "ghcr.io/acme/leeway/trial:1.2.3-amd64 ghcr.io/acme/leeway/trial:1.2.3-arm64",
  );
  expect(calls).toContain("cosign sign --yes --recursive ghcr.io/acme/leeway/trial@sha256:0abc");
});
