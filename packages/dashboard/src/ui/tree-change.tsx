import { Lock } from "lucide-react";

import { classNames } from "./class-names.ts";
import { treeDiff, type DiffLine } from "./tree-diff.ts";
import { pathText } from "./path-text.ts";
import type { Change } from "./value-change.tsx";

const SIGNS: Readonly<Record<DiffLine["sign"], { mark: string; name?: string; className: string }>> = {
  same: { mark: " ", className: "text-muted" },
  old: { mark: "−", name: "Declared", className: "bg-sunken line-through decoration-control" },
  new: { mark: "+", name: "Live", className: "bg-accent-soft" },
  fold: { mark: "⋯", className: "text-muted italic" },
};

/** Shows how a live value differs from the declared one, as a tree, with unchanged lines folded. */
export function TreeChange({ change }: { change: Change }) {
  const { path, before, after, before_sensitive, after_sensitive } = change;
  const name = path.length === 0 ? "Whole value" : pathText(path);
  return (
    <figure className="border-line min-w-0 overflow-clip rounded-lg border">
      <figcaption className="bg-sunken border-line border-b px-3 py-1.5 font-mono text-xs break-all">
        {name}
      </figcaption>
      {before_sensitive || after_sensitive ? (
        <p className="text-muted flex items-center gap-1.5 p-3">
          <Lock aria-hidden="true" className="size-3.5" /> Differs. Sensitive values aren’t shown.
        </p>
      ) : (
        <Lines name={name} lines={treeDiff(before, after)} />
      )}
    </figure>
  );
}

function Lines({ name, lines }: { name: string; lines: readonly DiffLine[] }) {
  return (
    <pre
      tabIndex={0}
      aria-label={name}
      className="max-h-96 overflow-auto py-2 font-mono text-xs leading-5 whitespace-pre-wrap"
    >
      {lines.map(({ sign, depth, text }, at) => (
        <span
          // oxlint-disable-next-line react/no-array-index-key -- lines of a text have no other key
          key={at}
          className="flex break-all"
        >
          <span aria-hidden="true" className="text-muted w-7 shrink-0 text-center select-none">
            {SIGNS[sign].mark}
          </span>
          <span
            className={classNames("min-w-0 flex-1 pr-3", SIGNS[sign].className)}
            style={{ paddingLeft: `${depth * 1.25}rem` }}
          >
            {SIGNS[sign].name !== undefined && <span className="sr-only">{SIGNS[sign].name}: </span>}
            {text}
          </span>
        </span>
      ))}
    </pre>
  );
}
