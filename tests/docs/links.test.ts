import { expect, test } from "bun:test";

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

import { prose, quoted, read, repositoryFiles, ROOT } from "./repository.ts";

const DOCUMENTS = repositoryFiles().filter((path) => path.endsWith(".md") && existsSync(join(ROOT, path)));
const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;
/** A folder, or a file of a kind that we have. */
const PATH = /^(?!\/)[\w.@/-]+\/(?:[\w.@-]+\.(?:ts|md|sql|tsv|json|ndjson|sh|yml|yaml|patch))?$/;

/** The anchors that headings get where Markdown is rendered. */
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

test.each(DOCUMENTS)("every relative link of %s leads somewhere", async (document) => {
  const text = prose(await read(document));
  const links = [...text.matchAll(LINK)].map(([, link = ""]) => link).filter((link) => !/^\w+:/.test(link));
  const dead: string[] = [];
  for (const link of links) if (await isDead(document, link)) dead.push(link);
  expect(dead).toEqual([]);
});

test.each(DOCUMENTS)("every path that %s names exists", async (document) => {
  const paths = quoted(await read(document)).filter((text) => PATH.test(text));
  const gone = paths.filter(
    (path) => !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, dirname(document), path)),
  );
  expect(gone).toEqual([]);
});
