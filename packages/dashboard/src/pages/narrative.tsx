import { Badge } from "../ui/badge.tsx";
import { Prose } from "../ui/prose.tsx";

interface Told {
  text?: string;
  source?: "platform" | "byok" | "template";
  model?: string;
  note?: string;
}

const SOURCES = {
  platform: "Written by Leeway’s model",
  byok: "Written by your own model",
  template: "Put together by rules",
};

/** What something means in words, and who wrote them. */
export function Narrative({ narrative }: { narrative: Told }) {
  const { text = "", source = "template", model, note } = narrative;
  return (
    <div className="flex flex-col gap-3">
      <Prose markdown={text} />
      <p className="text-muted flex flex-wrap items-center gap-2 text-xs">
        <Badge>{SOURCES[source]}</Badge>
        {model !== undefined && <span>{model}</span>}
        {note !== undefined && <span>No model wrote it: {note}</span>}
      </p>
    </div>
  );
}
