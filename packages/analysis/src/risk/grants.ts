import { isObject, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import { creates, deletes, updates, type ResourceChange } from "../plan/model.ts";
import { textsOf } from "./attribute-values.ts";
import { policyText } from "./policy-text.ts";
import { RIGHT_NAMES } from "./tables/rights.ts";
import { listed, shown } from "./values.ts";

/** Attributes that name a right and its holder, with the verbs for messages. */
interface GrantForm {
  right: readonly string[];
  holders: readonly string[];
  verbs: Verbs;
}

type Verbs = Readonly<Record<"give" | "to" | "take" | "from", string>>;

const ATTACHING: Verbs = { give: "Attaches", to: "to", take: "Detaches", from: "from" };
const GRANTING: Verbs = { give: "Grants", to: "to", take: "Revokes", from: "from" };

const FORMS: readonly GrantForm[] = [
  {
    right: ["policy_arn", "managed_policy_arn", "managed_policy_arns", "policy_arns"],
    holders: [
      "role",
      "roles",
      "user",
      "users",
      "group",
      "groups",
      "role_name",
      "user_name",
      "permission_set_arn",
      "principal_arn",
    ],
    verbs: ATTACHING,
  },
  {
    right: ["role_definition_name", "role_definition_id", "role", "role_id", "app_role_id"],
    holders: [
      "member",
      "members",
      "entity",
      "principal_id",
      "principal_object_id",
      "username",
      "user_id",
      "team_id",
    ],
    verbs: GRANTING,
  },
  { right: ["role_name"], holders: ["user_name", "parent_role_name"], verbs: GRANTING },
  { right: ["permission"], holders: ["username", "team_id", "collaborator"], verbs: GRANTING },
];

/** Kinds of holders whose names state the kind: `user:anna@example.com`. */
const KINDS: ReadonlySet<string> = new Set(["role", "user", "group"]);

/** Describes the rights that a change grants or revokes, and their holders; empty if that can't be shown. */
export function grantText(change: ResourceChange): string {
  const [before, after] = [grantIn(change.before), grantIn(change.after)];
  if (after && (creates(change) || updates(change))) {
    const { give, to } = after.verbs;
    const isSame = before?.rights === after.rights && before.holders === after.holders;
    return isSame ? "" : `${give} ${after.rights} ${to} ${after.holders}`;
  }
  if (before && deletes(change)) {
    const { take, from } = before.verbs;
    return `${take} ${before.rights} ${from} ${before.holders}`;
  }
  return policyText(change);
}

/** Rights and their holders on one side, such as `AdministratorAccess` and `role developers`. */
interface Grant {
  rights: string;
  holders: string;
  verbs: Verbs;
}

function grantIn(side: Json): Grant | undefined {
  if (!isObject(side)) return undefined;
  for (const form of FORMS) {
    const rights = form.right.flatMap((name) => textsOf(side[name])).filter((right) => right !== "");
    const holders = form.holders.flatMap((name) => holdersIn(side, name));
    if (rights.length === 0 || holders.length === 0) continue;
    const scope = text(side, "scope");
    const where = scope === undefined ? "" : ` on ${shown(scope)}`;
    return { rights: rightsText(rights), holders: listed(holders) + where, verbs: form.verbs };
  }
  return undefined;
}

function holdersIn(side: JsonObject, name: string): string[] {
  const kind = name.replace(/s$/, "").replace(/_name$/, "");
  return textsOf(side[name])
    .filter((holder) => holder !== "")
    .map((holder) => (KINDS.has(kind) ? `${kind} ${shown(holder)}` : shown(holder)));
}

/** Lists rights by the last part of their identifiers. */
export function rightsText(rights: readonly string[]): string {
  return listed(
    rights.map(
      (right) => RIGHT_NAMES.get(right) ?? shown(right.replace(/^(?:arn:|\/).*[:/](?=[^:/]+$)/, "")),
    ),
  );
}
