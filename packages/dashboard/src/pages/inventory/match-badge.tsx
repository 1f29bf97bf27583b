import type { LiveResource } from "../../api/openapi.gen.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";

type Status = LiveResource["match"]["status"];

const SHOWN: Readonly<Record<Status, { tone: Tone; text: string; title: string }>> = {
  matched: { tone: "good", text: "Declared", title: "Matched to what is declared as code" },
  undeclared: { tone: "high", text: "Undeclared", title: "Nothing that is known declares it" },
  unchecked: {
    tone: "medium",
    text: "Unchecked",
    title: "Of a type that nothing could be compared with: it may be declared all the same",
  },
  excluded: { tone: "neutral", text: "Excluded", title: "A rule leaves it out of the counts" },
};

/** What a resource of a status is called. */
export function matchText(status: Status): string {
  return SHOWN[status].text;
}

/** What is known of a resource's declaration. */
export function MatchBadge({ match }: { match: LiveResource["match"] }) {
  const { tone, text, title } = SHOWN[match.status];
  return (
    <Badge tone={tone} title={title}>
      {text}
      {match.conflict === true && " more than once"}
    </Badge>
  );
}
