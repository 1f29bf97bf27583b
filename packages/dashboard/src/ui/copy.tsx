import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import { Button } from "./button.tsx";

const SHOWN_MS = 2_000;
const COPIED = "Copied";

/** Copies a text, and confirms it. */
export function CopyButton({
  text,
  label = "Copy",
  of,
}: {
  text: string;
  label?: string;
  /** Name of the copied value, for screen readers. */
  of?: string;
}) {
  const [shown, setShown] = useState(label);
  const copied = shown === COPIED;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text); // plain http has no clipboard
      setShown(COPIED);
    } catch {
      setShown("Select and copy it");
    }
    setTimeout(() => setShown(label), SHOWN_MS);
  };
  return (
    <Button onClick={() => void copy()} aria-label={of === undefined ? undefined : `${label} ${of}`}>
      {copied ? (
        <Check aria-hidden="true" className="size-3.5" />
      ) : (
        <Copy aria-hidden="true" className="size-3.5" />
      )}
      <span aria-live="polite">{shown}</span>
    </Button>
  );
}

/** Shows a secret, this one time. */
export function SecretOnce({ secret, what }: { secret: string; what: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []); // the focused form is gone
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="group"
      aria-label={`Copy ${what} now`}
      className="border-medium/30 bg-medium-soft flex flex-col gap-3 rounded-lg border p-3"
    >
      <p>
        <strong className="font-semibold">Copy {what} now.</strong> It won’t be shown again.
      </p>
      <div className="flex items-center gap-2">
        <code className="bg-surface border-line min-w-0 flex-1 rounded-md border px-2 py-1.5 font-mono text-xs break-all">
          {secret}
        </code>
        <CopyButton text={secret} />
      </div>
    </div>
  );
}

/** Shows one value to paste somewhere, with the name of its field there. */
export function CopyLine({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="font-medium">{name}</span>
      <div className="flex items-center gap-2">
        <code className="bg-sunken border-line min-w-0 flex-1 rounded-md border px-2 py-1.5 font-mono text-xs break-all">
          {value}
        </code>
        <CopyButton text={value} of={name} />
      </div>
    </div>
  );
}
