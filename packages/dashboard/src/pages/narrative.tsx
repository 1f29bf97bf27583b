import { Sparkles } from "lucide-react";

import { Badge } from "../ui/badge.tsx";
import { Prose } from "../ui/prose.tsx";

interface ShownNarrative {
  text?: string;
  source?: "platform" | "byok" | "template";
  model?: string;
  note?: string;
}

/** Returns whether a model wrote the narrative. */
export function isByModel(narrative: ShownNarrative | undefined): boolean {
  return narrative?.source === "platform" || narrative?.source === "byok";
}

/** Shows a narrative: a template's directly, a model's in a labelled panel that starts closed. */
export function Narrative({ narrative }: { narrative: ShownNarrative }) {
  const { text = "", note } = narrative;
  if (isByModel(narrative)) return <ModelPanel narrative={narrative} />;
  return (
    <div className="flex flex-col gap-3">
      <Prose markdown={text} />
      <p className="text-muted flex flex-wrap items-center gap-2 text-xs">
        <Badge>Generated from rules</Badge>
        {note !== undefined && <span>Not written by a model: {note}</span>}
      </p>
    </div>
  );
}

const OWNERS = { platform: "Leeway’s model", byok: "Your own model", template: "" };

function ModelPanel({ narrative: { text = "", source = "platform", model } }: { narrative: ShownNarrative }) {
  return (
    <details className="bg-surface border-muted/40 w-full overflow-clip rounded-lg border border-dashed">
      <summary className="bg-sunken cursor-pointer px-3 py-2 font-medium">
        <Sparkles aria-hidden="true" className="text-muted mr-1.5 inline size-4 align-[-0.2em]" />
        Written by a model; levels come from rules
      </summary>
      <div className="flex flex-col gap-3 p-3">
        <Prose markdown={text} />
        <p className="text-muted flex flex-wrap items-center gap-2 text-xs">
          <Badge>{OWNERS[source]}</Badge>
          {model !== undefined && <code className="font-mono wrap-anywhere">{model}</code>}
        </p>
      </div>
    </details>
  );
}
