import { Lock } from "lucide-react";

import { classNames } from "./class-names.ts";
import { marked, type Piece } from "./marked.ts";
import { pathText } from "./path-text.ts";

export interface Change {
  path: readonly (string | number)[];
  before: unknown;
  after: unknown;
  before_sensitive: boolean;
  after_sensitive: boolean;
  /** Whether the new value is known only after apply. */
  unknown: boolean;
}

interface ValueChangeProps {
  change: Change;
  /** Names of both sides. */
  sides?: readonly [before: string, after: string];
}

/** Shows the old and new value, with differences marked by colour and underline. */
export function ValueChange({ change, sides = ["Before", "After"] }: ValueChangeProps) {
  const { path, before, after, before_sensitive, after_sensitive, unknown } = change;
  const pieces = marked(valueText(before), valueText(after));
  return (
    <div className="border-line min-w-0 overflow-clip rounded-lg border">
      <div className="bg-sunken border-line border-b px-3 py-1.5 font-mono text-xs break-all">
        {path.length === 0 ? "Whole value" : pathText(path)}
      </div>
      <div className="grid md:grid-cols-2">
        <Side
          name={sides[0]}
          pieces={pieces.before}
          hidden={before_sensitive}
          className="decoration-critical bg-critical-soft text-critical"
        />
        <Side
          name={sides[1]}
          pieces={unknown ? [{ text: "Known after apply", differs: false }] : pieces.after}
          hidden={after_sensitive}
          className="decoration-good bg-good-soft text-good"
        />
      </div>
    </div>
  );
}

interface SideProps {
  name: string;
  pieces: readonly Piece[];
  hidden: boolean;
  /** Style of the differences. */
  className: string;
}

function Side({ name, pieces, hidden, className }: SideProps) {
  return (
    <div className="border-line min-w-0 p-3 not-first:border-t md:not-first:border-t-0 md:not-first:border-l">
      <p className="text-muted mb-1 text-xs">{name}</p>
      {hidden ? (
        <span className="text-muted inline-flex items-center gap-1.5">
          <Lock aria-hidden="true" className="size-3.5" /> Sensitive, not shown
        </span>
      ) : (
        <pre
          className="max-h-60 overflow-auto font-mono text-xs leading-5 break-all whitespace-pre-wrap"
          tabIndex={0}
        >
          {pieces.map(({ text, differs }, at) =>
            differs ? (
              // oxlint-disable-next-line react/no-array-index-key -- pieces of a text have no other key
              <mark
                key={at}
                className={classNames("rounded-xs underline decoration-2 underline-offset-2", className)}
              >
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </pre>
      )}
    </div>
  );
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return "none";
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}
