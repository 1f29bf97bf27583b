import { parseCatalog } from "../catalog.ts";
import table from "./catalog.tsv" with { type: "text" };

/** The common types of GitHub, GitLab, Kubernetes, Helm, Cloudflare and Datadog, and of what only a state holds. */
export const otherCatalog = parseCatalog(table);
