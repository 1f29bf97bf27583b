import { openCatalog } from "../catalog.ts";
import table from "./catalog.tsv" with { type: "text" };

/** Common types of GitHub, GitLab, Kubernetes, Helm, Cloudflare and Datadog, and types that exist only in states. */
export const otherCatalog = openCatalog(table);
