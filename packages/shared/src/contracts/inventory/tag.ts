import { severalTexts } from "../several.ts";

/** Filter by tags of live resources. */
export const Tag = severalTexts(600, "Tag of the live resource: `team=data`, or `team` for any value");
