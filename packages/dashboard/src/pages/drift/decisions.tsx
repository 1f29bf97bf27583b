import { Check, EyeOff, RotateCcw } from "lucide-react";

import { useMay } from "../../session/organizations.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { resourceOf, type DriftChange } from "./change.tsx";
import type { Decision } from "./decide.tsx";

interface DecisionsProps {
  change: DriftChange;
  onDecide: (decision: Decision) => void;
  /** Whether there is room only for icons. */
  short?: boolean;
}

const BUTTONS = [
  ["acknowledged", "Acknowledge", Check],
  ["ignored", "Ignore", EyeOff],
  ["open", "Reopen", RotateCcw],
] as const;

/** Shows the decisions that the person may make about a change. */
export function Decisions({ change, onDecide, short = false }: DecisionsProps) {
  const may = usePossible(change);
  const name = resourceOf(change);
  const shown = BUTTONS.filter(([decision]) => may[decision]);
  return (
    <span className="flex flex-wrap justify-end gap-1">
      {shown.map(([decision, text, Icon]) =>
        short ? (
          <IconButton key={decision} label={`${text} ${name}`} onClick={() => onDecide(decision)}>
            <Icon aria-hidden="true" className="size-4" />
          </IconButton>
        ) : (
          <Button key={decision} aria-label={`${text} ${name}`} onClick={() => onDecide(decision)}>
            <Icon aria-hidden="true" className="size-4" /> {text}
          </Button>
        ),
      )}
    </span>
  );
}

function usePossible({ disposition: { status } }: DriftChange): Readonly<Record<Decision, boolean>> {
  const isAdmin = useMay("admin");
  const isMember = useMay("member");
  return {
    acknowledged: isMember && status === "open",
    ignored: isAdmin && status !== "ignored" && status !== "resolved",
    open: isAdmin && status !== "open" && status !== "resolved",
  };
}
