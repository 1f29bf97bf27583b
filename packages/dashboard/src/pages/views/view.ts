import type { Row } from "../../api/client.ts";

export type View = Row<"GET /orgs/{id}/views">;

/** How a page shows views. */
export interface Viewed {
  page: View["page"];
  /** Path below the organization's. */
  path: string;
  /** Returns the filter that the page's search parameters stand for, as the API names it. */
  filterOf: (search: Record<string, unknown>) => Record<string, unknown>;
  /** Returns the search parameters for a filter. */
  searchOf: (filter: Record<string, unknown>) => Record<string, unknown>;
}
