/** What a rule is about, for people: why it matters, and what to look at before applying. */
export interface RuleText {
  title: string;
  why: string;
  check: string;
}

const RULES: Readonly<Record<string, RuleText>> = {
  R01: {
    title: "A stateful resource is destroyed",
    why: "What it holds is lost with it.",
    check: "Make sure that its data is backed up elsewhere, and that somebody has restored such a backup.",
  },
  R02: {
    title: "A protection against loss is taken away",
    why: "The next mistake can destroy the resource or its backups.",
    check: "Find out what needs the protection gone, and when it comes back.",
  },
  R03: {
    title: "Key material is destroyed",
    why: "Whatever was encrypted with it or reads it stops working, and can't be brought back.",
    check: "List what is encrypted with the key or reads the secret, and move it first.",
  },
  R04: {
    title: "A container of other resources is destroyed",
    why: "Everything inside goes with it, also what this plan doesn't name.",
    check: "List what is inside, also what no code declares.",
  },
  R05: {
    title: "A serving resource is replaced, the old one first",
    why: "It is down until the new one is ready, and its addresses may change.",
    check: "Plan the downtime, or create the new one before the old one is destroyed.",
  },
  R06: {
    title: "A serving resource is replaced, the new one first",
    why: "Names that must be unique and connections to the old one can break.",
    check: "Check that both can exist at the same time, and what still points at the old one.",
  },
  R07: {
    title: "A stateful resource is changed in a way that interrupts it",
    why: "The change restarts it or moves its data.",
    check: "Apply it in a maintenance window, and know how to go back.",
  },
  R08: {
    title: "A network policy changes",
    why: "Who can reach what changes.",
    check: "Read each rule that is added or removed, and know who needs it.",
  },
  R09: {
    title: "Something is opened to the whole internet",
    why: "Anybody can reach it.",
    check: "Narrow the source to the networks that need it.",
  },
  R10: {
    title: "Data becomes public",
    why: "Anybody can read it, and copies can't be taken back.",
    check: "Make sure that it is meant to be public, and nothing else lies beside it.",
  },
  R11: {
    title: "Somebody gets far-reaching rights",
    why: "Whoever holds such rights can change everything else.",
    check: "Grant only the actions that are needed, and name who may take the role.",
  },
  R12: {
    title: "Rights change",
    why: "Somebody may do more than before, or no longer what they have to.",
    check: "Compare the rights before and after, and ask who needs the difference.",
  },
  R13: {
    title: "Encryption is weakened",
    why: "Data can be read where it lies or on its way.",
    check: "Keep it encrypted, or know why it needn't be.",
  },
  R14: {
    title: "Audit or logging is weakened",
    why: "What happens next leaves no trace.",
    check: "Make sure that the trail is kept elsewhere.",
  },
  R15: {
    title: "The path of traffic changes",
    why: "Requests go elsewhere as soon as it is applied.",
    check: "Check that the new target answers, and how long the old answer is cached.",
  },
  R16: {
    title: "Capacity shrinks",
    why: "What is left may not carry the load.",
    check: "Compare the new size with the load at its peak.",
  },
  R17: {
    title: "A serving resource is destroyed",
    why: "Whoever uses it gets no answer any more.",
    check: "Make sure that nobody uses it any more.",
  },
  R18: {
    title: "A resource is destroyed",
    why: "It can be created again, but not the same one.",
    check: "Make sure that nothing refers to it.",
  },
  R19: {
    title: "A large part of the infrastructure is destroyed",
    why: "So many deletions at once are often a wrong workspace, state or variable.",
    check: "Make sure that this is the right workspace and state.",
  },
  R20: {
    title: "A resource is created",
    why: "It costs money and has to be looked after.",
    check: "Check its size and its name.",
  },
  R21: {
    title: "Only tags or descriptions change",
    why: "It works as before.",
    check: "Check that nothing selects by these tags.",
  },
  R22: {
    title: "A resource is forgotten",
    why: "It goes on to run and to cost, and no code declares it any more.",
    check: "Know who looks after it from now on.",
  },
  R23: {
    title: "A resource changes in a way that no other rule speaks of",
    why: "Nothing is known of what the change does.",
    check: "Read the change itself.",
  },
  R24: {
    title: "A provider or module version changes and resources are replaced",
    why: "The replacement may come from the version and not from the code.",
    check: "Read the version's notes on upgrading.",
  },
  R25: {
    title: "A secret changes",
    why: "Who still uses the old one is locked out.",
    check: "Make sure that everybody who uses it gets the new one.",
  },
};

/** For flags that say something else than their rule's first. */
const FLAGS: Readonly<Record<string, RuleText>> = {
  deleted_outside: {
    title: "A stateful resource was deleted outside",
    why: "What it held is gone; applying creates an empty one.",
    check: "Find out who deleted it, and what is to be restored from its backups.",
  },
  new_revision: {
    title: "A new revision takes the place of the one before",
    why: "What starts from now on goes by it, and what runs goes on as it is.",
    check: "Check that what uses it takes the new one.",
  },
  maybe_stateful: {
    title: "A resource that may be stateful is destroyed",
    why: "If it holds data, that is lost with it.",
    check: "Find out whether it holds data, and back that up.",
  },
};

/** The words for a rule as a whole; a rule that isn't known gets those its flag gives. */
export function ruleText(rule: string, flag: string): RuleText {
  return (
    own(RULES, rule) ?? {
      title: flag.replaceAll("_", " "),
      why: "A rule speaks of this change.",
      check: "Read the change itself.",
    }
  );
}

/** The words for what a rule found. */
export function flagText({ rule, flag }: { rule: string; flag: string }): RuleText {
  return own(FLAGS, flag) ?? ruleText(rule, flag);
}

function own(texts: Readonly<Record<string, RuleText>>, key: string): RuleText | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}
