import type { LiveResource } from "../../api/openapi.gen.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";

type Status = LiveResource["match"]["status"];

const SHOWN: Readonly<Record<Status, { tone: Tone; text: string; title: string }>> = {
  matched: { tone: "good", text: "Declared", title: "Matched to a declared resource" },
  undeclared: { tone: "high", text: "Undeclared", title: "No state declares it" },
  unchecked: {
    tone: "medium",
    text: "Unchecked",
    title: "Leeway can’t compare this type yet, so it may be declared",
  },
  excluded: { tone: "neutral", text: "Excluded", title: "A rule excludes it from the counts" },
};

/** Returns the label of a match status. */
export function matchText(status: Status): string {
  return SHOWN[status].text;
}

/** Shows a resource's match status. */
export function MatchBadge({ match }: { match: LiveResource["match"] }) {
  const { tone, text, title } = SHOWN[match.status];
  return (
    <Badge tone={tone} title={title}>
      {text}
      {match.conflict === true && " more than once"}
    </Badge>
  );
}
