/**
 * Builds a website from docs/ in `site` or the given folder: `bun run docs:site [folder]`. Links to other files lead
 * to `DOCS_REPOSITORY_URL` (`https://…/blob/main`); without it they become plain text.
 */
import { Glob } from "bun";
import { cp, mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { bodyOf, titleOf, wholePage, type Page } from "./site/page.ts";

const ROOT = join(import.meta.dir, "..");
const DOCS = join(ROOT, "docs");
/** First menu entries, in this order. Other documents follow, without decision records. */
const FIRST = [
  "index",
  "start",
  "clouds",
  "pipelines",
  "code-hosts",
  "notifications",
  "api",
  "security",
  "operations",
];

async function main(folder: string): Promise<void> {
  const sources = [...new Glob("**/*.md").scanSync(DOCS)].toSorted();
  const texts = new Map<string, string>();
  for (const source of sources) texts.set(source, await Bun.file(join(DOCS, source)).text());
  const pages = sources.map((source): Page => {
    const target = source.replace(/\.md$/, ".html");
    return { source, target, title: titleOf(texts.get(source) ?? "", source) };
  });
  const menu = pages.filter(({ source }) => !source.includes("/")).toSorted((a, b) => place(a) - place(b));
  const links = {
    pages: new Set([...sources, "openapi.json"]),
    repository: process.env["DOCS_REPOSITORY_URL"]?.replace(/\/+$/, ""),
  };
  for (const page of pages) {
    const file = join(folder, page.target);
    await mkdir(dirname(file), { recursive: true });
    await Bun.write(file, wholePage(page, bodyOf(texts.get(page.source) ?? "", page.source, links), menu));
  }
  await cp(join(DOCS, "openapi.json"), join(folder, "openapi.json"));
  await cp(join(import.meta.dir, "site/style.css"), join(folder, "style.css"));
  console.log(`${pages.length} pages are in ${folder}`);
}

function place({ source }: Page): number {
  const index = FIRST.indexOf(source.replace(/\.md$/, ""));
  return index === -1 ? FIRST.length : index;
}

await main(resolve(Bun.argv[2] ?? "site"));
