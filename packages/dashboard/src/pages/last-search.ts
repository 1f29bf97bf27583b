const searches = new Map<string, Readonly<Record<string, unknown>>>();

/** Remembers a page's filters for the way back to it. */
export function rememberSearch({ pathname, search }: { pathname: string; search: object }): void {
  searches.set(pathname, { ...search });
}

/** Returns the filters with which the page at a path was last shown; none if it wasn't. */
export function lastSearch(pathname: string): Readonly<Record<string, unknown>> {
  return searches.get(pathname) ?? {};
}
