import { openCatalog } from "../catalog.ts";
import table from "./catalog.tsv" with { type: "text" };

/** Types of Azure Resource Manager, and of Microsoft Graph if Terraform declares them. */
export const azureCatalog = openCatalog(table);
