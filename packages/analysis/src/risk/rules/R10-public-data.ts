import { isObject, text, type Json } from "@leeway/shared/values/json";

import { goesForGood, updates, type ResourceChange } from "../../plan/model.ts";
import { textsOf } from "../attribute-values.ts";
import { isClosedOff } from "../closures.ts";
import { destroying } from "../deletions.ts";
import { isOpenRuleset } from "../firebase-rules.ts";
import { leafAt, pathsOf, type Leaf } from "../../plan/leaves.ts";
import { filledAt, openedAccess, type Opened } from "../open-access.ts";
import type { Rule, RuleCase, RuleMatch } from "../rule.ts";
import { newShares } from "../sharing.ts";
import { signsIn } from "../signs.ts";
import { isNew, type Subject } from "../subject.ts";
import {
  concernsStateful,
  CREATED_OPEN,
  EXPOSURES,
  isCluster,
  isPublicAccessBlock,
  oneOf,
  PUBLIC_ACCESS,
  PUBLIC_GUARDS,
  type SignTest,
} from "../types.ts";
import { changesText, listed } from "../values.ts";

export const R10 = {
  id: "R10",
  title: "A resource becomes public",
  why: "Anyone can use it, and copies of its data can't be taken back.",
  check: "Confirm that it is meant to be public and contains nothing private.",
  cases: {
    access: {
      flag: "public_data",
      when: 'a resource that becomes public: `Principal: "*"`, `allUsers`, `publicly_accessible`, public ACLs, networks that let everybody in, an address on the internet for what had none',
      standard: "high",
      lenient: "medium",
      neverHidden: true,
    },
    data: {
      flag: "public_data",
      when: "the same of a resource that holds data, or of what governs access to one",
      standard: "critical",
      lenient: "medium",
      neverHidden: true,
    },
    unblocked: {
      flag: "public_access_unblocked",
      when: "a block of public access that is lifted, or a network that is opened while keys, grants or rules still guard the data",
      standard: "high",
      lenient: "medium",
      neverHidden: true,
    },
    shared: {
      flag: "shared_data",
      when: "a snapshot, an image or a policy of data that lets in another account",
      standard: "high",
      lenient: "medium",
      neverHidden: true,
    },
  },
  example: {
    address: "aws_s3_bucket_policy.invoices",
    actions: ["create"],
    after: {
      policy: JSON.stringify({
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Principal: "*",
            Action: "s3:GetObject",
            Resource: "arn:aws:s3:::customer-invoices/*",
          },
        ],
      }),
    },
  },
  replaces: { rules: ["R08", "R12", "R15"], on: "attributes" },
  find: (subject) => [...opened(subject), ...openedRuleset(subject), ...sharedData(subject)],
} satisfies Rule;

function opened(subject: Subject): RuleMatch[] {
  const { change, type, leaves } = subject;
  if (goesForGood(change) && isPublicAccessBlock(type) && !letsIn(change.before)) {
    const message = `${destroying(subject)}: public access is no longer blocked`;
    return [{ case: R10.cases.unblocked, paths: [], message }];
  }
  const open = openedBy(PUBLIC_ACCESS, subject);
  // Many resources are created with an address or without limits, deliberately and visibly in code.
  const whole = updates(change) ? exposed(type, change) : [];
  const rights = openedAccess(type, change);
  const unguarded = [
    ...openedBy(PUBLIC_GUARDS, subject),
    ...(isNew(change) ? openedBy(CREATED_OPEN, subject) : []),
  ];
  const paths = pathsOf([...open, ...whole, ...rights, ...unguarded]);
  if (paths.length === 0) return [];
  const isGuard = open.length + whole.length + rights.length === 0;
  const found = isGuard ? R10.cases.unblocked : openCase(subject, [...open, ...whole], rights);
  const texts = [...rights.map(({ text }) => text), ...publicTexts([...open, ...whole, ...unguarded])];
  return [{ case: found, paths, message: listed([...new Set(texts)], MAX_TEXTS) }];

  function openedBy(signs: readonly SignTest[], { change: of }: Subject): Leaf[] {
    return signsIn(signs, type, leaves).filter((leaf) => !isClosedOff(type, of, leaf));
  }
}

/**
 * Picks the case. Images are code rather than data, a control plane still authenticates, and senders read nothing.
 */
function openCase({ type, change }: Subject, open: readonly Leaf[], rights: readonly Opened[]): RuleCase {
  if (open.some((leaf) => takesLocalAccounts(type, change, leaf))) return R10.cases.data;
  const isHarmless = open.length === 0 && rights.every(({ sendOnly }) => sendOnly);
  const isData = concernsStateful(type) && !isImage(type) && !isCluster(type);
  return isData && !isHarmless ? R10.cases.data : R10.cases.access;
}

/**
 * Checks whether networks are opened to a control plane with local accounts; other control planes authenticate
 * through their cloud.
 */
function takesLocalAccounts(type: string, { after }: ResourceChange, { name }: Leaf): boolean {
  const isOpen = type === "azurerm_kubernetes_cluster" && name.endsWith("authorized_ip_ranges");
  return isOpen && isObject(after) && after["local_account_disabled"] !== true;
}

const isImage = oneOf([
  "aws_ecr*",
  "aws_ami*",
  "google_artifact_registry_*",
  "google_compute_image*",
  "azurerm_container_registry",
]);
const MAX_TEXTS = 2;

/** Rights that canned ACLs grant to anyone. */
const ACLS: Readonly<Record<string, string>> = {
  "public-read": "lets anyone read it",
  "public-read-write": "lets anyone read and write it",
  "authenticated-read": "lets any AWS account read it",
  publicread: "lets anyone read it",
  publicreadwrite: "lets anyone read and write it",
  authenticatedread: "lets any Google account read it",
};

function publicTexts(leaves: readonly Leaf[]): string[] {
  const acls = leaves.flatMap(({ after }) => {
    const [acl = ""] = textsOf(after);
    const allows = ACLS[acl.toLowerCase()];
    return allows === undefined ? [] : [`ACL ${acl} ${allows}`];
  });
  if (acls.length > 0) return acls;
  return leaves.length > 0 ? [`Allows public access: ${changesText(leaves)}`] : [];
}

/** Checks whether a public access block already allowed access by default. */
function letsIn(before: Json): boolean {
  return isObject(before) && text(before, "default_action")?.toLowerCase() === "allow";
}

/**
 * Returns attributes of an update that lift the last limit on access, or grant access to everyone for the first time.
 */
function exposed(type: string, change: ResourceChange): Leaf[] {
  const { before, after } = change;
  return EXPOSURES.filter(({ isFor }) => isFor(type)).flatMap(({ attributes, when }) =>
    attributes.flatMap((name) => {
      if (isClosedOff(type, change, { name })) return [];
      const [were, are] = [before, after].map((side) => filledAt(side, name.split(".")));
      const [there, gone] = when === "there" ? [are, were] : [were, are];
      return gone?.length === 0 ? (there ?? []).map((path) => leafAt(change, path)) : [];
    }),
  );
}

/** Reports Firebase rules that let everyone in. */
function openedRuleset({ change, type }: Subject): RuleMatch[] {
  if (!isOpenRuleset(type, change)) return [];
  const message = "Rules let everybody read or write (if true)";
  return [{ case: R10.cases.data, paths: [["source"]], message }];
}

/** Reports data that another account can copy or read. */
function sharedData({ change, type }: Subject): RuleMatch[] {
  const shares = newShares(type, change);
  if (shares.length === 0) return [];
  const accounts = listed([...new Set(shares.map(({ key }) => key))]);
  return [{ case: R10.cases.shared, paths: pathsOf(shares), message: `Shares it with account ${accounts}` }];
}
