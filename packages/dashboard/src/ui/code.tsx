import type { ReactNode } from "react";

import { classNames } from "./class-names.ts";
import { CopyButton } from "./copy.tsx";
import { DownloadButton } from "./download.tsx";

interface CodeProps {
  code: string;
  /** Title: a description, or the file that the code belongs in. */
  title: string;
  copy?: boolean;
  /** Name of the file to download it as. */
  download?: string;
}

/** Shows code to read and copy. */
export function Code({ code, title, copy = true, download }: CodeProps) {
  return (
    <Frame title={title} copied={copy ? code : undefined} download={download}>
      <pre
        className="max-h-160 overflow-auto p-3 font-mono text-xs leading-5"
        tabIndex={0}
        aria-label={title}
      >
        {code}
      </pre>
    </Frame>
  );
}

const MARKS: Readonly<Record<string, string>> = {
  "+": "bg-good-soft text-good",
  "-": "bg-critical-soft text-critical",
  "@": "bg-sunken text-muted",
};

interface DiffProps {
  diff: string;
  title: string;
  /** Name of the file to download it as. */
  download?: string;
}

/** Shows a unified diff, with lines marked by sign and colour. */
export function Diff({ diff, title, download }: DiffProps) {
  const lines = diff.replace(/\n$/, "").split("\n");
  return (
    <Frame title={title} copied={diff} download={download}>
      <pre
        className="max-h-160 overflow-auto py-2 font-mono text-xs leading-5"
        tabIndex={0}
        aria-label={title}
      >
        {lines.map((line, number) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines of a text have no other key
          <span key={number} className={classNames("block min-w-max px-3", MARKS[line.charAt(0)])}>
            {line === "" ? " " : line}
          </span>
        ))}
      </pre>
    </Frame>
  );
}

interface FrameProps {
  title: string;
  copied: string | undefined;
  download?: string | undefined;
  children: ReactNode;
}

function Frame({ title, copied, download, children }: FrameProps) {
  return (
    <figure className="border-line bg-surface min-w-0 overflow-clip rounded-lg border">
      <figcaption className="border-line bg-sunken flex min-h-10 items-center justify-between gap-3 border-b px-3 py-1">
        <span title={title} className="truncate font-mono text-xs">
          {title}
        </span>
        {copied !== undefined && (
          <span className="flex gap-1">
            {download !== undefined && <DownloadButton name={download} content={copied} />}
            <CopyButton text={copied} />
          </span>
        )}
      </figcaption>
      {children}
    </figure>
  );
}
