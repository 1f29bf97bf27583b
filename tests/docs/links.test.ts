import { expect, test } from "bun:test";

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

import { prose, quoted, read, repositoryFiles, ROOT } from "./repository.ts";

const FILES = repositoryFiles();
const DOCUMENTS = FILES.filter((path) => path.endsWith(".md"));
const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;
/** A folder, or a file of a kind in this repository. Files that `up` generates are left out. */
const PATH = /^(?!\/|\.leeway\/)[\w.@/-]+\/(?:[\w.@-]+\.(?:ts|md|sql|tsv|json|ndjson|sh|yml|yaml|patch))?$/;

/** Returns the anchors that rendered headings get. */
function anchors(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-"),
  );
}

async function isDead(document: string, link: string): Promise<boolean> {
  const [path = "", anchor] = decodeURIComponent(link).split("#");
  const target = path === "" ? document : join(dirname(document), path);
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && !anchors(await read(target)).includes(anchor);
}

/** Reports whether `path` is the end of a file's path, or a folder above it. */
function names(path: string, file: string): boolean {
  return path.endsWith("/") ? `/${file}`.includes(`/${path}`) : `/${file}`.endsWith(`/${path}`);
}

test.each(DOCUMENTS)("every relative link in %s resolves", async (document) => {
  const text = prose(await read(document));
  const links = [...text.matchAll(LINK)].map(([, link = ""]) => link).filter((link) => !/^\w+:/.test(link));
  const dead: string[] = [];
  for (const link of links) if (await isDead(document, link)) dead.push(link);
  expect(dead).toEqual([]);
});

test.each(DOCUMENTS)("every path in %s exists", async (document) => {
  const paths = quoted(await read(document)).filter((text) => PATH.test(text));
  const gone = paths.filter((path) => !FILES.some((file) => names(path, file)));
  expect(gone).toEqual([]);
});
