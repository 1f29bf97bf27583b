/** Declaration of a managed resource. All its instances share one block. */
export interface Declaration {
  /** Names of the module calls on the path to it. */
  modules: readonly string[];
  type: string;
  name: string;
}

const INDEX = String.raw`(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?`;
const NAME = String.raw`[A-Za-z_][\w-]*`;
const ADDRESS = new RegExp(
  String.raw`^(?<modules>(?:module\.${NAME}${INDEX}\.)*)(?<type>${NAME})\.(?<name>${NAME})${INDEX}$`,
);
const MODULE = new RegExp(String.raw`module\.(${NAME})${INDEX}\.`, "g");

/** Parses the address of a managed resource's instance; undefined for anything else. */
export function declarationOf(address: string): Declaration | undefined {
  if (address.length > 10_000) return undefined;
  const { modules = "", type, name } = ADDRESS.exec(address)?.groups ?? {};
  if (type === undefined || name === undefined || type === "module" || type === "data") return undefined;
  return { modules: Array.from(modules.matchAll(MODULE), ([, module = ""]) => module), type, name };
}
