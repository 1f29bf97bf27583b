import { Marked, type Tokens } from "marked";

/** A document and its output file, both relative to the documents' root. */
export interface Page {
  /** Path such as `adr/0001-….md`. */
  source: string;
  /** Path such as `adr/0001-….html`. */
  target: string;
  title: string;
}

/**
 * Targets of links: the site's pages, and the repository's URL for other files. Without the URL such links become
 * text.
 */
interface Links {
  pages: ReadonlySet<string>;
  repository: string | undefined;
}

const EXTERNAL = /^(?:[a-z]+:|#)/;

/** Returns a document's first heading. */
export function titleOf(markdown: string, fallback: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll("`", "") ?? fallback;
}

/** Returns the document as HTML, with anchors on headings and links to the other pages. */
export function bodyOf(markdown: string, source: string, links: Links): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        const target = linkFrom(source, href, links);
        return target === undefined ? text : `<a href="${escaped(target)}">${text}</a>`;
      },
      // Documents contain no markup of their own.
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escaped(text),
    },
  });
  return marked.parse(markdown, { async: false });
}

/** Returns the same anchor as other Markdown renderers, so that links work in both. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

function linkFrom(source: string, href: string, { pages, repository }: Links): string | undefined {
  if (EXTERNAL.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///docs/${source}`);
  const path = pathname.replace(/^\/docs\//, "");
  if (pages.has(path)) return href.replace(/\.md(?=#|$)/, ".html") || hash;
  return repository === undefined ? undefined : `${repository}${pathname}${hash}`;
}

/** Returns the whole page, with the parts that all pages share. */
export function wholePage({ target, title }: Page, body: string, menu: readonly Page[]): string {
  const up = "../".repeat(target.split("/").length - 1);
  const items = menu.map((page) => {
    const here = page.target === target ? ' aria-current="page"' : "";
    return `<li><a href="${up}${page.target}"${here}>${escaped(page.title)}</a></li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${up}style.css">
</head>
<body>
<nav aria-label="Pages"><ul>
${items.join("\n")}
</ul></nav>
<main>
${body}</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  return Bun.escapeHTML(text);
}
