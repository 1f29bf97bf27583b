import { Lock } from "lucide-react";

interface JsonProps {
  value: unknown;
  /** JSON pointers to values redacted before they were stored. */
  redactions: ReadonlySet<string>;
  pointer?: string;
}

/** Shows JSON as a tree; redacted values are marked instead of showing their placeholder. */
export function JsonTree({ value, redactions, pointer = "" }: JsonProps) {
  if (redactions.has(pointer)) return <Redacted />;
  if (typeof value !== "object" || value === null) return <Scalar value={value} />;
  const entries = Object.entries(value);
  if (entries.length === 0) return <span className="text-muted">{Array.isArray(value) ? "[]" : "{}"}</span>;
  return (
    <ul className="flex flex-col gap-1">
      {entries.map(([name, member]) => (
        <li key={name} className="min-w-0">
          <Entry name={name} value={member} redactions={redactions} pointer={`${pointer}/${escaped(name)}`} />
        </li>
      ))}
    </ul>
  );
}

function Entry({ name, ...rest }: JsonProps & { name: string; pointer: string }) {
  const { value, redactions, pointer } = rest;
  const isBranch = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  if (!isBranch || redactions.has(pointer)) {
    return (
      <div className="flex gap-2">
        <span className="text-muted shrink-0">{name}</span>
        <JsonTree {...rest} />
      </div>
    );
  }
  return (
    <details open>
      <summary className="text-muted hover:text-ink w-fit">{name}</summary>
      <div className="border-line mt-1 ml-1.5 border-l pl-4">
        <JsonTree {...rest} />
      </div>
    </details>
  );
}

function Scalar({ value }: { value: unknown }) {
  return (
    <span className="min-w-0 break-all">{typeof value === "string" ? value : JSON.stringify(value)}</span>
  );
}

function Redacted() {
  return (
    <span
      className="bg-sunken text-muted inline-flex items-center gap-1 rounded px-1.5 text-xs"
      title="May contain a secret, so it was removed before storing"
    >
      <Lock aria-hidden="true" className="size-3" /> redacted
    </span>
  );
}

/** Escapes a name for a JSON pointer (RFC 6901). */
function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
