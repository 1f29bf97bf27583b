import type { ReactNode } from "react";

/**
 * Renders a model's Markdown: paragraphs, lists, headings, code and emphasis. Everything else, including HTML and
 * links, is shown as plain text.
 */
export function Prose({ markdown }: { markdown: string }) {
  const blocks = markdown.split(/\n\s*\n/).filter((block) => block.trim() !== "");
  return (
    <div className="flex max-w-prose flex-col gap-3 leading-6">
      {blocks.map((block, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- paragraphs have no other key
        <Block key={at} lines={block.trim().split("\n")} />
      ))}
    </div>
  );
}

const ITEM = /^\s*(?:[-*]|(\d{1,9})[.)])\s+/;
const HEADING = /^#{1,6}\s+/;

function Block({ lines }: { lines: readonly string[] }) {
  const [first = ""] = lines;
  if (HEADING.test(first)) {
    return (
      <>
        <p className="font-semibold">{inline(first.replace(HEADING, ""))}</p>
        {lines.length > 1 && <Block lines={lines.slice(1)} />}
      </>
    );
  }
  const start = lines.findIndex((line) => ITEM.test(line));
  if (start < 0) return <p>{inline(lines.join(" "))}</p>;
  return (
    <>
      {start > 0 && <p>{inline(lines.slice(0, start).join(" "))}</p>}
      <Items lines={lines.slice(start)} />
    </>
  );
}

/** Renders the items of a list, each with the lines that continue it. */
function Items({ lines }: { lines: readonly string[] }) {
  const items: string[] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return (
    <List first={ITEM.exec(lines[0] ?? "")?.[1]}>
      {items.map((item, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- items have no other key
        <li key={at}>{inline(item)}</li>
      ))}
    </List>
  );
}

/** Renders a numbered list from its first number on, or bullets without one. */
function List({ first, children }: { first: string | undefined; children: ReactNode }) {
  if (first === undefined) return <ul className="flex list-disc flex-col gap-1 pl-5">{children}</ul>;
  return (
    <ol start={Number(first)} className="flex list-decimal flex-col gap-1 pl-6">
      {children}
    </ol>
  );
}

const MARKED = /(`[^`]+`|\*\*[^*]+\*\*)/;

function inline(text: string): ReactNode[] {
  return text.split(MARKED).map((part, at) => {
    const key = `${at}`;
    if (part.startsWith("`") && part.length > 2) {
      return (
        <code key={key} className="bg-sunken rounded px-1 py-0.5 font-mono text-xs wrap-anywhere">
          {part.slice(1, -1)}
        </code>
      );
    }
    if (part.startsWith("**") && part.length > 4) return <strong key={key}>{part.slice(2, -2)}</strong>;
    return part;
  });
}
