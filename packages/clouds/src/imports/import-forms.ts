import AWS from "./aws.tsv" with { type: "text" };
import AZURE from "./azure.tsv" with { type: "text" };
import GCP from "./gcp.tsv" with { type: "text" };

/** Form of a type's import ids. */
export interface ImportForm {
  /** Text with `{…}` for the parts that differ. */
  form: string;
  /** Whether code can refer to its ARN, id or link. */
  attributes: ReadonlySet<string>;
}

const TABLES: Readonly<Record<string, string>> = { aws: AWS, azurerm: AZURE, google: GCP };
const known = new Map<string, ReadonlyMap<string, ImportForm>>();

/** Returns the form of a Terraform type's import ids; undefined if it isn't known with certainty. */
export function importFormOf(type: string): ImportForm | undefined {
  return formsOf(type.split("_", 1)[0] ?? "").get(type);
}

/** Returns the types with a known form. */
export function importableTypes(): string[] {
  return Object.keys(TABLES).flatMap((prefix) => [...formsOf(prefix).keys()]);
}

function formsOf(prefix: string): ReadonlyMap<string, ImportForm> {
  const found = known.get(prefix);
  if (found) return found;
  const lines = (TABLES[prefix] ?? "").split("\n").slice(2, -1);
  const forms = new Map(
    lines.map((line): [string, ImportForm] => {
      const [type = "", form = "", attributes = ""] = line.split("\t");
      return [type, { form, attributes: new Set(attributes.split(" ")) }];
    }),
  );
  known.set(prefix, forms);
  return forms;
}
