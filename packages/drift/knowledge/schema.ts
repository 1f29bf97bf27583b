/** An argument that a Terraform type takes. */
export interface Argument {
  name: string;
  kind: "text" | "number" | "switch" | "texts" | "map" | "any" | "block";
  /** Whether a block can occur several times. */
  isMany: boolean;
  /** Arguments inside a block. */
  inner: readonly Argument[];
  isRequired?: boolean;
  /** Whether the provider reads it from the cloud if it isn't set. */
  isComputed?: boolean;
  /** Whether a list consists of numbers. */
  isOfNumbers?: boolean;
  /** Whether it is an object that is written as a value, not as a block. */
  isStruct?: boolean;
}

/** A member of a resource in a cloud's API. */
export interface Member {
  kind: "text" | "number" | "switch" | "json" | "object" | "list" | "map" | "any";
  /** Members of an object. They are read late, because schemas refer to themselves. */
  members?: () => ReadonlyMap<string, Member>;
  element?: () => Member;
  /** Whether another value needs another resource. */
  isFixed?: boolean;
}

/** Members of a cloud's resource type. */
export type Resource = Member & Required<Pick<Member, "members">>;

/** A resource type of a Terraform provider. */
export interface ResourceType {
  args: readonly Argument[];
  /** Names of its attributes that code can refer to, including computed ones. */
  attributes: ReadonlySet<string>;
}
