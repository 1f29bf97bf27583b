import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

import { build } from "../build.ts";

const BUILD = join(import.meta.dir, "../build.ts");
const nobody = { uid: 65_534, gid: 65_534, cwd: "/", env: { PATH: process.env["PATH"], HOME: tmpdir() } };
const canBeNobody =
  process.getuid?.() === 0 &&
  Bun.spawnSync(["test", "-r", BUILD, "-a", "-x", process.execPath], nobody).exitCode === 0;

const MAX_BYTES = 140_000;
const MAX_SCRIPTS = 2;

let folder: string;
let dist: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leeway-dashboard-"));
  dist = join(folder, "dist");
  await build(dist);
});
afterAll(() => rm(folder, { recursive: true }));

async function sentBytes(name: string): Promise<number> {
  const bytes = await Bun.file(join(dist, name)).bytes();
  return name.endsWith(".woff2") ? bytes.length : brotliCompressSync(bytes).length;
}

/** Returns a file and all its dependencies. */
async function loadedBy(name: string, known = new Set<string>()): Promise<Set<string>> {
  if (known.has(name)) return known;
  known.add(name);
  const text = await Bun.file(join(dist, "assets", name)).text();
  for (const [, needed = ""] of text.matchAll(/(?:from|import)\s*"\/assets\/([^"]+)"/g))
    await loadedBy(needed, known);
  return known;
}

test("the first load of the first page is at most two scripts, and under 140 KB, compressed", async () => {
  const html = await Bun.file(join(dist, "index.html")).text();
  const named = [...html.matchAll(/"\/assets\/([^"]+)"/g)].map(([, name = ""]) => name);
  const names = await readdir(join(dist, "assets"));
  const page = names.filter((name) => /^inter-[^-]+\.woff2$/.test(name));
  const loaded = new Set<string>();
  for (const name of [...named, ...page]) for (const one of await loadedBy(name)) loaded.add(one);
  const sizes = await Promise.all(
    ["index.html", ...[...loaded].map((name) => `assets/${name}`)].map(sentBytes),
  );
  const sum = sizes.reduce((sum, size) => sum + size, 0);
  expect([...loaded].filter((name) => name.endsWith(".js")).length).toBeLessThanOrEqual(MAX_SCRIPTS);
  expect(sum).toBeGreaterThan(100_000);
  expect(sum).toBeLessThan(MAX_BYTES);
});

test("the page uses only scripts, styles and addresses that it is served with", async () => {
  const html = await Bun.file(join(dist, "index.html")).text();
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:/);
  for (const [, address = ""] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect(address).toMatch(/^\/assets\//);
  }
});

test("every text file has compressed variants", async () => {
  const names = await readdir(join(dist, "assets"));
  for (const name of names.filter((name) => /\.(js|css|svg)$/.test(name))) {
    expect(names).toContain(`${name}.br`);
    expect(names).toContain(`${name}.gz`);
  }
});

test.skipIf(!canBeNobody)(
  "an unwritable output folder is reported (needs root, and a checkout that others can read)",
  async () => {
    const closed = join(folder, "closed/dist");
    await mkdir(closed, { recursive: true });
    await chmod(folder, 0o711);
    const program = `
      import { build } from ${JSON.stringify(BUILD)};
      await build(${JSON.stringify(closed)}).catch(({ message }) => console.log(message));
    `;
    const { stdout } = Bun.spawnSync([process.execPath, "-e", program], nobody);
    expect(stdout.toString()).toBe(
      `can't write to ${join(folder, "closed")}: give it to the user who runs this\n`,
    );
  },
);
