/** Returns an API's spelling of an argument: `master_password` is `masterPassword`. */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}
