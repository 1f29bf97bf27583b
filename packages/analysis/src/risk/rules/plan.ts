import { creates, deletes, type MaterialChange, type Plan } from "../../plan/model.ts";
import { isNewRevision, type Sighting } from "../sighting.ts";

const MANY = 25;
const SHARE = 0.5;

/** R19. The only resource of a small plan isn't a mass. */
export function destroyMany(plan: Plan, changes: readonly MaterialChange[]): Sighting[] {
  const count = changes.filter(
    (change) => deletes(change) && change.deposed === undefined && !isNewRevision(change),
  ).length;
  const existing = plan.changes.filter(
    (change) =>
      change.mode === "managed" && change.deposed === undefined && (deletes(change) || !creates(change)),
  ).length;
  const isMuch = count > 1 && count >= SHARE * (existing + (plan.unchangedLeftOut ?? 0));
  if (count < MANY && !isMuch) return [];
  const share = isMuch ? `, out of ${existing} that the plan speaks of` : "";
  return [
    {
      verdict: "massDestroy",
      paths: [],
      message: `The plan deletes or replaces ${count} resources${share}.`,
    },
  ];
}
