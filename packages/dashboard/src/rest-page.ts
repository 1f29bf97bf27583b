import { loadPage } from "./ui/load-page.ts";

type Rest = typeof import("./pages/rest.ts");

/** Returns a page of the script that all pages but the first share. It is loaded when one of them is first shown. */
export const restPage = <K extends keyof Rest>(name: K) => loadPage(() => import("./pages/rest.ts"), name);
