import type { ReactNode } from "react";

/**
 * Markdown of a model, as far as it has paragraphs, lists, headings, code and emphasis. All else, HTML and addresses
 * among it, shows as the text that it is.
 */
export function Prose({ markdown }: { markdown: string }) {
  const blocks = markdown.split(/\n\s*\n/).filter((block) => block.trim() !== "");
  return (
    <div className="flex max-w-prose flex-col gap-3 leading-6">
      {blocks.map((block, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- paragraphs are told apart by nothing else
        <Block key={at} lines={block.trim().split("\n")} />
      ))}
    </div>
  );
}

const ITEM = /^\s*(?:[-*]|\d+\.)\s+/;
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
  const items: string[] = [];
  for (const line of lines.slice(start)) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return (
    <>
      {start > 0 && <p>{inline(lines.slice(0, start).join(" "))}</p>}
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {items.map((item, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- items are told apart by nothing else
          <li key={at}>{inline(item)}</li>
        ))}
      </ul>
    </>
  );
}

const MARKED = /(`[^`]+`|\*\*[^*]+\*\*)/;

function inline(text: string): ReactNode[] {
  return text.split(MARKED).map((part, at) => {
    const key = `${at}`;
    if (part.startsWith("`") && part.length > 2) {
      return (
        <code key={key} className="bg-sunken rounded px-1 py-0.5 font-mono text-xs break-all">
          {part.slice(1, -1)}
        </code>
      );
    }
    if (part.startsWith("**") && part.length > 4) return <strong key={key}>{part.slice(2, -2)}</strong>;
    return part;
  });
}
