import { Check, Copy } from "lucide-react";
import { useState } from "react";

import { Button } from "./button.tsx";

const SHOWN_MS = 2_000;

/** Copies a text, and says so. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <Button onClick={() => void copy()}>
      {copied ? (
        <Check aria-hidden="true" className="size-3.5" />
      ) : (
        <Copy aria-hidden="true" className="size-3.5" />
      )}
      <span aria-live="polite">{copied ? "Copied" : label}</span>
    </Button>
  );
}

/** A secret in the one moment in which it is shown. */
export function SecretOnce({ secret, what }: { secret: string; what: string }) {
  return (
    <div className="border-medium/30 bg-medium-soft flex flex-col gap-3 rounded-lg border p-3">
      <p>
        <strong className="font-semibold">Copy {what} now.</strong> It isn’t kept anywhere and won’t be shown
        again.
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
