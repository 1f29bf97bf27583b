import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { analysis, ANALYSES, drift, finding, noise } from "./analysis.fixture.ts";
import { checkedNarrative } from "./check.ts";
import { hostileText, rendered, whatActs } from "./hostile.fixture.ts";
import { LONGEST_ANSWER } from "./prompt.ts";
import { templateNarrative } from "./template.ts";

const DB = "aws_db_instance.orders";
const QUEUE = "aws_sqs_queue.jobs[0]";
const PLAN = analysis({
  findings: [
    finding(),
    finding({
      rule: "R20",
      flag: "create",
      risk_level: "low",
      address: QUEUE,
      resource_type: "aws_sqs_queue",
      actions: ["create"],
      paths: [],
      message: "is created",
    }),
  ],
  drift: [drift({ address: 'module.net["eu"].aws_security_group.web' })],
  noise: [noise()],
});

const reasonFor = (text: string): string | undefined => {
  const checked = checkedNarrative(text, PLAN);
  return checked.ok ? undefined : checked.reason;
};

describe("an answer that keeps to the analysis may be shown", () => {
  test.each([
    `The overall risk is **critical**: \`${DB}\` is replaced (R01), and its data is lost.`,
    `Critical risk. \`${QUEUE}\` is a low risk addition.`,
    `The plan is critical. \`R01:${DB}\` says why: \`storage_encrypted\` forces a replacement of \`${DB}\`.`,
    `Critical: \`${DB}.storage_encrypted\` changes.`,
    `Critical: \`${DB}\` is critical, \`${QUEUE}\` is low risk.`,
    `Critical: it is not safe to apply before a backup of \`${DB}\` exists.`,
    `Critical. Somebody changed \`ingress[0].cidr_blocks\` of \`module.net["eu"].aws_security_group.web\` in \`module.net["eu"]\`.`,
    "Critical. `aws_ecs_service.api` is noise; add `ignore_changes` to `lifecycle`, or run `/leeway fix pn1_abcdefghijklmnopqrstuvwxyz`.",
    "Critical. Look at `aws_sqs_queue.jobs` before `terraform apply`.",
    "Critical. There is one critical finding and one low finding.",
    "Critical: please review it before you apply. Please do not apply it now.",
    `Critical: the data of \`${DB}\` is not kept, unless a snapshot is retained.`,
    "Critical: look at Bastion und Jump.",
    "Critical: you can apply it only once a backup exists.",
    "Critical: proceed with the apply only after the data was copied.",
    "Critical: have it approved by whoever owns the database.",
    "Critical: check whether the database is empty before you apply.",
    "Critical: it can't be rolled back, and must not be ignored.",
    "Critical: nothing of the data remains unless there is a snapshot.",
    "Critical: make sure that deletion protection is not removed without a backup.",
  ])("%s", (text) => {
    expect(checkedNarrative(text, PLAN)).toEqual({ ok: true, text });
  });

  test("so may the template, were a model to write it", () => {
    for (const one of Object.values(ANALYSES).slice(0, 3)) {
      const text = templateNarrative(one, {});
      expect(checkedNarrative(text, one)).toEqual({ ok: true, text });
    }
  });
});

test.each([
  ["that reads like a host", "www.example.com"],
  ["that reads like an address on the web", "https://token.actions.githubusercontent.com"],
  ["that reads like HTML", "<default>"],
  ["in letters of another width", "本番（東京）"],
])("a resource may be cited whose key is a text %s", (_, key) => {
  const address = `aws_db_instance.orders["${key}"]`;
  const own = analysis({ findings: [finding({ address, id: `R01:${address}` })] });
  const cited = checkedNarrative(
    `Critical: \`${address}\` is replaced, by \`R01:${address}\`, \`${address}.storage_encrypted\`.`,
    own,
  );
  expect(cited).toEqual({ ok: true, text: expect.stringContaining(address.normalize("NFKC")) });
  expect(whatActs(rendered(cited.ok ? cited.text : ""))).toBeUndefined();
  expect(checkedNarrative(`Critical: see ${key.normalize("NFKC")} about \`${address}\`.`, own).ok).toBe(
    false,
  );
});

describe("an answer is refused", () => {
  test.each([
    ["for a resource that isn't there", "Critical: `aws_db_instance.other` is replaced.", "isn't there"],
    ["for one outside of code too", "Critical: aws_db_instance.other is replaced.", "isn't there"],
    ["for a module that isn't there", "Critical: look at module.net2.", "isn't there"],
    ["for another instance", "Critical: `aws_sqs_queue.jobs[1]` is created.", "isn't there"],
    ["for a finding that isn't there", "Critical: `R03:aws_db_instance.orders`.", "isn't there"],
    ["for a rule that found nothing", "Critical, by R03.", "isn't there"],
    [
      "for a fingerprint that isn't there",
      "Critical: run `/leeway fix pn1_aaaaaaaaaaaaaaaaaaaaaaaaaa`.",
      "isn't there",
    ],
    ["for an attribute that nothing speaks of", `Critical: \`${DB}.password_file\` changes.`, "isn't there"],
    ["for a name of another kind", "Critical: `arn:aws:s3:::other` is public.", "isn't there"],
    ["for a lowered finding", `Critical. \`${DB}\` is a low risk change.`, "lowers"],
    ["for a finding lowered by another word", `Critical. Only a minor impact comes of ${DB}.`, "lowers"],
    ["for a finding rated down", `Critical. \`${DB}\` can be rated as medium.`, "lowers"],
    ["for swapped levels", `Critical. ${DB} is low risk, ${QUEUE} is a critical risk.`, "lowers"],
    ["for a lowered plan", "Critical parts aside, the overall risk is low.", "lowers"],
    ["for a level that nothing has", "Critical. There is some high risk.", "lowers"],
    ["for calling it safe to apply", "Critical, but it is safe to apply.", "lowers"],
    ["for saying it can be applied safely", "Critical, but it can be applied safely.", "lowers"],
    ["for no risk", "Critical at first sight. There is no risk.", "lowers"],
    ["for no risk to one resource", `Critical. There is no risk to \`${DB}\`.`, "lowers"],
    ...[
      "You can apply this.",
      "You may proceed.",
      "Proceed with the apply.",
      "Approve it.",
      "Everything looks good.",
      "All good here.",
      "It is expected and fine.",
      "This is routine maintenance.",
      "The level is overstated.",
      "This rating is only a formality.",
      "The finding is merely theoretical.",
      "The finding can be ignored.",
      "Treat the finding as noise.",
      "The rule is wrong here.",
      "No action is needed.",
      "No customers are affected.",
      "Nothing needs your attention.",
      "There is nothing that stands in the way.",
      "Apply it without a second thought.",
      "This has been approved by security.",
      "The security team has signed off.",
      "Reviewers need not look further.",
      "This can be rolled back at any time.",
      "The database is empty.",
      "Nothing is destroyed.",
      "The database isn't actually deleted.",
      "It is only renamed.",
      "The data remains.",
      "You need not worry.",
      "You don't have to worry.",
      "This is nothing to be concerned about.",
      "Nothing is lost.",
      "This has no adverse effects.",
      "It has no side effects.",
      "The data will be kept.",
      "All data of the database stays intact.",
      "Please run `terraform apply`.",
      "Now apply it.",
      "Apply it now.",
    ].map((words) => [`for saying: ${words}`, `Critical. ${words}`, "lowers"] as const),
    ...[
      "Das ist unbedenklich und kann angewendet werden.",
      "Es un cambio sin riesgo para producción.",
      "Ce changement est sans risque pour vous.",
      "Questo cambiamento può essere eseguito senza rischio.",
    ].map((words) => [`for saying: ${words}`, `Critical. ${words}`, "English"] as const),
    ["for calling it harmless", "Critical, yet harmless.", "lowers"],
    ["for advice to ignore a finding", "Critical. Ignore this finding.", "lowers"],
    ["for calling it not dangerous", "Critical, though not really dangerous.", "lowers"],
    ["for code that hides a claim", "Critical, but `safe` to apply.", "lowers"],
    ["for another stress that hides a claim", "Critical, but _safe_ to apply.", "lowers"],
    ["for stress within a word that hides a claim", "Critical, but sa**f**e to apply.", "lowers"],
    ["for the end of a line that hides a claim", `Critical. \`${DB}\` is of low\nrisk.`, "lowers"],
    ["for a claim after its opposite", "Critical: not safe to apply? It is safe to apply.", "lowers"],
    ["for letters that look like others", "Critical, but s\u0430fe to apply.", "English"],
    ["for another language", "Critical. \u5B89\u5168", "English"],
    ["for wide letters", "Critical, but \uFF53\uFF41\uFF46\uFF45 to apply.", "lowers"],
    ["for stress that hides a claim", "Critical, but **safe** to apply.", "lowers"],
    ["for not saying how bad it is", `\`${DB}\` is replaced.`, "critical"],
    ["for a secret", `Critical. The password is ${["AKIA", "IOSFODNN7EXAMPLE"].join("")}.`, "secret"],
    ["for an assigned secret", "Critical. Use password=hunter2hunter2.", "secret"],
    ["for a link", "Critical: [see](https://evil.example).", "link"],
    ["for a link by reference", "Critical: [see][1].\n\n[1]: //evil.example", "link"],
    ["for a bare address", "Critical: see https://evil.example", "link"],
    ["for one in code", "Critical: see `https://evil.example`", "link"],
    ["for an image", "Critical: ![see](x.png)", "link"],
    ["for HTML", "Critical: <b>x</b>", "HTML"],
    ["for HTML in code", "Critical: `<b>`", "HTML"],
    ["for HTML that is written otherwise", "Critical: &lt;b&gt;", "HTML"],
    ["for an HTML comment", "Critical <!-- leeway:plan:x -->", "HTML"],
    ["for a block of code", "Critical:\n```\nx\n```", "block of code"],
    ["for what can't be seen", "Critical\u202E", "can't be seen"],
    ["for being empty", "  \n", "empty"],
    ["for its length", `Critical ${"word ".repeat(LONGEST_ANSWER / 5)}`, "longer"],
  ])("%s", (_why, text, reason) => {
    expect(reasonFor(text)).toContain(reason);
  });
});

test("whatever a model answers, what may be shown can do nothing", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const checked = checkedNarrative(`Critical. ${text}`, PLAN);
      if (checked.ok) expect(whatActs(rendered(checked.text))).toBeUndefined();
    }),
    { numRuns: 1_000 },
  );
});

test("words about safety are free where nothing is risky", () => {
  expect(checkedNarrative("Nothing dangerous happens.", analysis()).ok).toBe(true);
});

test("that data stay may be said where none is destroyed", () => {
  const update = analysis({ findings: [finding({ rule: "R07", id: `R07:${DB}` })] });
  expect(checkedNarrative("Critical: the data is preserved, but the restart takes time.", update).ok).toBe(
    true,
  );
});

test("words about safety are not free where drift is risky, though the plan itself isn't", () => {
  const gone = analysis({ drift: [drift({ kind: "missing", risk_level: "critical" })] });
  expect(checkedNarrative("It is safe to apply.", gone)).toMatchObject({ ok: false });
  expect(checkedNarrative("The plan changes nothing; the drift is critical.", gone).ok).toBe(true);
});

test("a mention is shown as code", () => {
  expect(checkedNarrative("Critical, ask @admin", PLAN)).toEqual({
    ok: true,
    text: "Critical, ask `@admin`",
  });
});

test("thousands of findings are checked in a moment", () => {
  const findings = Array.from({ length: 20_000 }, (_, index) =>
    finding({ address: `aws_db_instance.n${index}` }),
  );
  checkedNarrative(`Critical. ${"aws_db_instance.n7, ".repeat(290)}`, analysis({ findings }));
  checkedNarrative(`Critical. ${"`".repeat(5_000)}`, analysis());
  checkedNarrative(`Critical. ${"module.a.".repeat(600)}`, analysis());
  checkedNarrative(`Critical. ${"risk is very ".repeat(450)}`, analysis());
});
