/** Something in code that another resource can refer to. */
export interface Referent {
  /** Address in code. */
  address: string;
  type: string;
  /** Values that only this resource has, such as its ARN, with the attribute that has it. */
  unique: ReadonlyMap<string, string>;
  /** Its name, with the attribute that has it; other resources may have the same. */
  named?: readonly [value: string, attribute: string];
}

/** Expressions for values that identify resources in the same code. */
export class References {
  readonly #unique = new Map<string, Referent | null>();
  readonly #named = new Map<string, Referent | null>();

  add(referent: Referent): void {
    for (const value of referent.unique.keys()) put(this.#unique, value.toLowerCase(), referent);
    const [name] = referent.named ?? [];
    if (name !== undefined) put(this.#named, `${name}\n${referent.type}`, referent);
  }

  /**
   * Returns the resource and attribute that a value stands for. A name counts only if the argument's name says which
   * type it is of, and only one resource of the type has it.
   */
  find(argument: string, value: string): { referent: Referent; attribute: string } | undefined {
    const unique = this.#unique.get(value.toLowerCase());
    if (unique) return { referent: unique, attribute: uniqueAttribute(unique, value) };
    const base = argument.replace(/_(?:name|id|identifier)$/, "");
    for (const type of typesFor(base, this.#named, value)) {
      const referent = this.#named.get(`${value}\n${type}`);
      if (referent?.named) return { referent, attribute: referent.named[1] };
    }
    return undefined;
  }
}

function put(index: Map<string, Referent | null>, key: string, referent: Referent): void {
  // Values of several resources identify none.
  const known = index.get(key);
  index.set(key, known === undefined || known === referent ? referent : null);
}

function uniqueAttribute({ unique }: Referent, value: string): string {
  const found = unique.get(value);
  if (found !== undefined) return found;
  return [...unique].find(([one]) => one.toLowerCase() === value.toLowerCase())?.[1] ?? "id";
}

/** Returns the types whose name says that they are meant by an argument: `bucket` means `aws_s3_bucket`. */
function typesFor(base: string, index: ReadonlyMap<string, Referent | null>, value: string): string[] {
  const prefix = `${value}\n`;
  const types = [...NAMED_BY].flatMap(([argument, own]) => (argument === base ? own : []));
  return types.filter((type) => index.has(prefix + type));
}

/** Arguments that take another resource's name. */
const NAMED_BY: ReadonlyMap<string, readonly string[]> = new Map([
  ["bucket", ["aws_s3_bucket", "google_storage_bucket"]],
  ["cluster", ["aws_ecs_cluster", "google_container_cluster"]],
  ["cluster_name", ["aws_eks_cluster"]],
  ["db_subnet_group", ["aws_db_subnet_group"]],
  ["event_bus", ["aws_cloudwatch_event_bus"]],
  ["function", ["aws_lambda_function"]],
  ["log_group", ["aws_cloudwatch_log_group"]],
  ["resource_group", ["azurerm_resource_group"]],
  ["role", ["aws_iam_role"]],
  ["subnet_group", ["aws_elasticache_subnet_group"]],
  ["table", ["aws_dynamodb_table"]],
  ["user", ["aws_iam_user"]],
  ["virtual_network", ["azurerm_virtual_network"]],
]);
