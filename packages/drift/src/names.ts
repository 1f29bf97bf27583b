/**
 * Max number of cached names, about as many as a cloud's types have.
 * Names come from users, so their number is unlimited.
 */
const MAX_KNOWN = 20_000;
const LONGEST_KNOWN = 100;
const known = new Map<string, readonly string[]>();

/** Returns the possible spellings of a member: unchanged, camel case and Pascal case. */
export function namesOf(name: string): readonly string[] {
  let names = known.get(name);
  if (names === undefined) {
    const camel = uncapitalized(name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()));
    names = [...new Set([name, camel, camel.charAt(0).toUpperCase() + camel.slice(1)])];
    if (known.size >= MAX_KNOWN) known.clear();
    if (name.length < LONGEST_KNOWN) known.set(name, names);
  }
  return names;
}

/** Returns a name in lower case without underscores, which is equal for all its spellings. */
export function plainName(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

function uncapitalized(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

const snakes = new Map<string, string>();

/** Returns Terraform's name for an API's member: `ipProtocol` is `ip_protocol`. */
export function snakeCase(name: string): string {
  let snake = snakes.get(name);
  if (snake === undefined) {
    snake = name
      .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
      .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
      .toLowerCase();
    if (snakes.size >= MAX_KNOWN) snakes.clear();
    if (name.length < LONGEST_KNOWN) snakes.set(name, snake);
  }
  return snake;
}
