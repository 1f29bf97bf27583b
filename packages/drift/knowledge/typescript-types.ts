import type { Member } from "./schema.ts";

const TOKEN = /"[^"]*"|'[^']*'|[\w$.]+|=>|[{}[\]()<>|?:;,&]/g;
const SCALARS: Readonly<Record<string, Member["kind"]>> = {
  string: "text",
  number: "number",
  boolean: "switch",
};
const WRAPPERS: ReadonlySet<string> = new Set(["pulumi.Output", "pulumi.Input", "Promise"]);
const NOTHING: ReadonlySet<string> = new Set(["null", "undefined"]);

/** Finds the type of a name; undefined if it isn't known. */
export type Lookup = (name: string) => Member | undefined;

/** Reads the members of a type in a declaration file from the text between its braces. */
export function membersIn(body: string, lookup: Lookup): ReadonlyMap<string, Member> {
  const text = body.replaceAll(/\/\*.*?\*\//gs, "");
  return new Reader([...text.matchAll(TOKEN)].map(([token]) => token).concat("}"), lookup).members();
}

class Reader {
  private at = 0;
  private readonly tokens: readonly string[];
  private readonly lookup: Lookup;

  constructor(tokens: readonly string[], lookup: Lookup) {
    this.tokens = tokens;
    this.lookup = lookup;
  }

  members(): ReadonlyMap<string, Member> {
    const found = new Map<string, Member>();
    while (!["}", ""].includes(this.peek())) {
      const token = this.next();
      if (token === "[") return this.mapOf();
      const name = (token === "readonly" ? this.next() : token).replaceAll(/["']/g, "");
      if (this.peek() === "?") this.next();
      this.next();
      found.set(name, this.union());
      if ([";", ","].includes(this.peek())) this.next();
    }
    this.next();
    return found;
  }

  private peek(): string {
    return this.tokens[this.at] ?? "";
  }

  private next(): string {
    this.at += 1;
    return this.tokens[this.at - 1] ?? "";
  }

  /** Reads an index signature, which leaves no members. */
  private mapOf(): ReadonlyMap<string, Member> {
    for (let depth = 1; depth > 0 && this.peek() !== "";) {
      const token = this.next();
      depth += token === "{" ? 1 : token === "}" ? -1 : 0;
    }
    return new Map();
  }

  private union(): Member {
    const found = [this.single()];
    while (["|", "&"].includes(this.peek())) {
      this.next();
      found.push(this.single());
    }
    const known = found.filter((one) => one !== undefined);
    return known.find(({ kind }) => !Object.values(SCALARS).includes(kind)) ?? known[0] ?? { kind: "any" };
  }

  private single(): Member | undefined {
    let member = this.named(this.next());
    while (this.peek() === "[") {
      this.next();
      this.next();
      member = listOf(member);
    }
    return member;
  }

  private named(token: string): Member | undefined {
    if (token === "{") return objectOf(this.members());
    if (token === "(") return this.closed();
    if (NOTHING.has(token)) return undefined;
    const kind = SCALARS[token];
    if (kind) return { kind };
    if (/^["']/.test(token)) return { kind: "text" };
    if (this.peek() === "<") return this.generic(token);
    return this.lookup(token) ?? { kind: token === "true" || token === "false" ? "switch" : "any" };
  }

  private closed(): Member {
    const inner = this.union();
    this.next();
    return inner;
  }

  private generic(name: string): Member | undefined {
    this.next();
    const inner = this.union();
    while (![">", ""].includes(this.peek())) this.next();
    this.next();
    if (name === "Array") return listOf(inner);
    return WRAPPERS.has(name) ? inner : { kind: "any" };
  }
}

function listOf(element: Member | undefined): Member {
  return { kind: "list", element: () => element ?? { kind: "any" } };
}

function objectOf(members: ReadonlyMap<string, Member>): Member {
  return members.size === 0 ? { kind: "map" } : { kind: "object", members: () => members };
}

/** Returns an object whose members are read when they are first needed. */
export function lateObject(body: string, lookup: Lookup): Required<Pick<Member, "kind" | "members">> {
  let members: ReadonlyMap<string, Member> | undefined;
  return { kind: "object", members: () => (members ??= membersIn(body, lookup)) };
}
