import { parseCatalog } from "../catalog.ts";
import table from "./catalog.tsv" with { type: "text" };

/** The types of Azure Resource Manager, and those of Microsoft Graph that Terraform declares. */
export const azureCatalog = parseCatalog(table);
