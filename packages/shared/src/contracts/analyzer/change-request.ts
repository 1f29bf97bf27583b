import { Type as t, type Static } from "@sinclair/typebox";

import { words } from "../contract.ts";

/** Merge or pull request of a source. */
export const ChangeRequest = t.Object(
  {
    url: t.Optional(t.String()),
    number: t.Optional(t.Integer()),
    branch: t.String(),
    status: words(["created", "updated", "unchanged", "closed", "refused"]),
    problem: t.Optional(t.String({ description: "Why the code host refused it, with `refused`" })),
  },
  {
    description:
      "Merge or pull request with all settlements and fixes of the source, with `open_change_request`. Leeway never merges it",
  },
);
export type ChangeRequest = Static<typeof ChangeRequest>;

/** Comparison of a plan with the settlements that its branch promises. */
export const PlanPromise = t.Object({
  kept: t.Boolean({ description: "Whether the plan leaves the settled resources as promised" }),
  changes: t.Integer({ description: "Number of settled changes" }),
  broken: t.Array(t.Object({ address: t.String(), actions: t.Array(t.String()) }), {
    description: "Settled resources that the plan changes nevertheless",
  }),
});
export type PlanPromise = Static<typeof PlanPromise>;
