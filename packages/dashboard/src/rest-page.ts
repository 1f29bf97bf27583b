import type * as rest from "./pages/rest.ts";
import { loadPage } from "./ui/load-page.ts";

/** Returns a page of the script that all pages but the first share. It is loaded when one of them is first shown. */
export const restPage = <K extends keyof typeof rest>(name: K) =>
  loadPage(() => import("./pages/rest.ts"), name);
