import { afterAll, beforeAll, expect, test } from "bun:test";

import { Glob } from "bun";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { AWS_POLICY } from "@leeway/connectors/aws/policy";
import { READ_ALL } from "@leeway/connectors/azure/azure-role";
import { gcpRole } from "@leeway/connectors/gcp/gcp-role";
import { read, ROOT } from "./repository.ts";

let site: string;

beforeAll(async () => {
  site = await mkdtemp(join(tmpdir(), "leeway-site-"));
  const made = Bun.spawnSync([process.execPath, join(ROOT, "scripts/site.ts"), site], { env: {} });
  expect(made.stderr.toString()).toBe("");
});

afterAll(() => rm(site, { recursive: true }));

const pages = (): string[] => [...new Glob("**/*.html").scanSync(site)];

test("every document is a page with a title that can be reached from the menu or a link", async () => {
  const documents = [...new Glob("**/*.md").scanSync(join(ROOT, "docs"))];
  expect(pages().toSorted()).toEqual(documents.map((path) => path.replace(/\.md$/, ".html")).toSorted());
  for (const page of pages()) expect(await Bun.file(join(site, page)).text()).toMatch(/<title>\S/);
});

/** Reports whether a link of a page is dead. */
async function isDead(page: string, href: string): Promise<boolean> {
  const [path = "", anchor] = decodeURIComponent(href).split("#");
  const target = join(site, path === "" ? page : join(dirname(page), path));
  if (!existsSync(target)) return true;
  return anchor !== undefined && !(await Bun.file(target).text()).includes(`id="${anchor}"`);
}

test("every link on every page leads to an existing page and section", async () => {
  const dead: string[] = [];
  for (const page of pages()) {
    const html = await Bun.file(join(site, page)).text();
    const links = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, href = ""]) => href);
    for (const href of links.filter((link) => !/^[a-z]+:/.test(link))) {
      if (await isDead(page, href)) dead.push(`${page}: ${href}`);
    }
  }
  expect(dead).toEqual([]);
});

test("text of a document never becomes markup", async () => {
  for (const page of pages())
    expect(await Bun.file(join(site, page)).text()).not.toMatch(/<(?:script|iframe|img)/);
});

test.each<[cloud: string, permissions: readonly string[], written: RegExp]>([
  ["aws", AWS_POLICY.Statement.flatMap(({ Action }) => Action), /`([\w-]+:[A-Z]\w+)`/g],
  ["gcp", gcpRole.includedPermissions, /`(\w+\.\w+\.(?!com`)\w+)`/g],
  ["azure", [READ_ALL], /`(\*\/\w+)`/g],
])(
  "the guide for connecting %s lists the permissions that the connector requires",
  async (cloud, permissions, written) => {
    const document = await read(`docs/connect-${cloud}.md`);
    const named = new Set(Array.from(document.matchAll(written), ([, permission = ""]) => permission));
    expect([...named].toSorted()).toEqual(permissions.toSorted());
  },
);
