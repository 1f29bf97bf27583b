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

interface Rights {
  isMember: boolean;
  isAdmin: boolean;
}

export function useRights(): Rights {
  return { isMember: useMay("member"), isAdmin: useMay("admin") };
}

/** Shows the decisions that the person may make about a change. */
export function Decisions(props: DecisionsProps) {
  return <DecisionButtons {...props} rights={useRights()} />;
}

/** Shows the decisions in a row of a long list, which reads the person's rights once for all rows. */
export function DecisionButtons({
  change,
  onDecide,
  short = false,
  rights,
}: DecisionsProps & { rights: Rights }) {
  const may = possible(change, rights);
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

function possible(
  { disposition: { status } }: DriftChange,
  { isMember, isAdmin }: Rights,
): Readonly<Record<Decision, boolean>> {
  return {
    acknowledged: isMember && status === "open",
    ignored: isAdmin && status !== "ignored" && status !== "resolved",
    open: isAdmin && status !== "open" && status !== "resolved",
  };
}
