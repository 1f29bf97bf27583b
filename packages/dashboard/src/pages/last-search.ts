const searches = new Map<string, Readonly<Record<string, unknown>>>();

/** Notes by what a page was filtered, for the way back to it. */
export function rememberSearch({ pathname, search }: { pathname: string; search: object }): void {
  searches.set(pathname, { ...search });
}

/** By what the page at a path was filtered when it was last shown; by nothing where it wasn't. */
export function lastSearch(pathname: string): Readonly<Record<string, unknown>> {
  return searches.get(pathname) ?? {};
}
