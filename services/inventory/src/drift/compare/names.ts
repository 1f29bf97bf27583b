const known = new Map<string, readonly string[]>();

/** How APIs may spell a member: as it is given, in camel case, in Pascal case. */
export function namesOf(name: string): readonly string[] {
  let names = known.get(name);
  if (names === undefined) {
    const camel = uncapitalized(name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()));
    names = [...new Set([name, camel, camel.charAt(0).toUpperCase() + camel.slice(1)])];
    known.set(name, names);
  }
  return names;
}

/** A name without what different ways to write it differ in. */
export function plainName(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

function uncapitalized(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** A member of an API under the name that Terraform would give it: `ipProtocol` is `ip_protocol`. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}
