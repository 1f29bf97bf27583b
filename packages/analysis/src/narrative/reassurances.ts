/** Not "once a backup exists". */
const UNCONDITIONALLY = String.raw`(?![^.!?;\n]{0,80}\b(?:only|once|after|if|when|until|unless|before)\b)`;

/** Not "unless there is a snapshot". */
const UNLESS = String.raw`(?![^.!?;\n]{0,80}\b(?:unless|if|once)\b)`;

/** Words that say there is nothing to fear. */
export const REASSURANCES = new RegExp(
  [
    String.raw`\b(?:is|are|be|it'?s|seems?|looks?|appears?|considered|should be|completely|perfectly|totally|entirely)\s+(?:\w+\s+)?safe\b`,
    String.raw`(?<!un)\bsafe(?:ly)?\s+(?:to|for|change|plan|update)\b`,
    String.raw`\b(?:applied|merged|ignored|proceed|apply|merge|deploy|deployed|continue)\s+safely\b`,
    String.raw`\bsafely\s+(?:be\s+)?(?:appl|merg|ignor|proceed|deploy|continue)`,
    String.raw`\b(?:risk|danger|worry)[-\s]free\b`,
    String.raw`\b(?:harmless|innocuous|benign|riskless|lgtm)\b`,
    String.raw`\bwithout\s+(?:any\s+|a\s+|further\s+)?(?:risk|danger|concern|worry|review|hesitation)`,
    String.raw`\bno\s+(?:need\s+to\s+worry|reason\s+(?:to|for)|cause\s+for|danger|worries|concerns?|problems?|issues?|review|data\s+(?:loss|is\s+lost|will\s+be\s+lost))`,
    String.raw`\bno\s+(?:(?:adverse|negative|harmful|bad|ill|lasting|unwanted)\s+(?:side[-\s]+)?effects?|(?:side[-\s]+)?effects)\b`,
    String.raw`\bnothing\s+(?:\w+\s+)?(?:dangerous|risky|to\s+(?:worry|fear|be\s+(?:concerned|worried|afraid))|critical|serious|of\s+concern)`,
    String.raw`\bnothing\s+(?:is|gets|will\s+be|would\s+be)\s+(?:\w+\s+)?lost\b`,
    String.raw`\b(?:need|do|should|must)(?:\s+not|n['’]t)\s+(?:(?:need|have)\s+to\s+|be\s+)?(?:worry|worried|concerned|afraid)\b`,
    String.raw`\b(?:please|now)\s+(?:(?!not\b|never\b)\w+\s+){0,2}(?:apply|merge|deploy|approve)\b`,
    String.raw`\b(?:apply|merge|deploy|approve)\s+(?:\w+\s+)?now\b`,
    String.raw`\b(?:good|ready|fine|ok|okay|free)\s+to\s+(?:go|apply|merge|proceed|ship|deploy)\b`,
    String.raw`\bgo\s+ahead\b`,
    String.raw`\b(?:not|isn'?t|aren'?t|never)\s+(?:\w+\s+)?(?:dangerous|risky|critical|severe|serious|a\s+(?:real\s+)?(?:risk|concern|danger|problem))`,
    String.raw`\bfalse\s+(?:alarm|positive)`,
    String.raw`\b(?:you|we)\s+(?:can|may|could)\s+(?:\w+\s+)?(?:proceed|apply|merge|approve|deploy|continue)\b${UNCONDITIONALLY}`,
    String.raw`(?:^|[.:!?;,]\s+)(?:so\s+|just\s+|then\s+)?(?:proceed|continue)\s+with\b${UNCONDITIONALLY}`,
    String.raw`(?:^|[.:!?;,]\s+)(?:so\s+|just\s+|then\s+)?(?:approve|merge)\s+(?:it|this|the)\b${UNCONDITIONALLY}`,
    String.raw`\b(?:all|everything)\s+(?:is\s+|looks\s+|seems\s+|appears\s+)?(?:\w+\s+)?(?:good|fine|ok|okay|well|in\s+order|as\s+expected)\b`,
    String.raw`\b(?:is|are|and|looks?|seems?)\s+(?:\w+\s+)?fine\b`,
    String.raw`\b(?:is|are|looks?|seems?)\s+(?:only\s+|just\s+|merely\s+|purely\s+|rather\s+)?(?:a\s+|an\s+|some\s+)?(?:routine|overstated|exaggerated|overrated|theoretical|formality|cosmetic|academic|mistaken?)\b`,
    String.raw`\b(?:rules?|levels?|ratings?|findings?)\s+(?:is|are)\s+(?:\w+\s+)?(?:wrong|mistaken|incorrect|outdated|too\s+(?:strict|high))\b`,
    String.raw`\bfindings?\b[^.!?;\n]{0,40}\b(?:can|may|should|could)\s+be\s+(?:\w+\s+)?(?:ignored|disregarded|dismissed|skipped)\b`,
    String.raw`\b(?:treat|regard|take|see|count)\w*\s+(?:\w+\s+)?(?:findings?|risks?|levels?|warnings?)\s+(?:as|for)\s+(?:mere\s+)?noise\b`,
    String.raw`\bno\s+(?:\w+\s+)?(?:actions?|attention|checks?|steps?)\s+(?:is|are)\s+(?:needed|required|necessary)\b`,
    String.raw`\bno\s+(?:\w+\s+)?(?:customers?|users?|clients?|services?)\s+(?:is|are|will\s+be|would\s+be)\s+(?:affected|impacted|harmed)\b`,
    String.raw`\bnothing\s+(?:\w+\s+){0,2}(?:needs?|requires?|demands?)\s+(?:your\s+|any\s+|further\s+)?(?:attention|reviews?|action|care)\b`,
    String.raw`\bnothing\s+(?:that\s+)?(?:stands?|speaks?)\s+(?:in\s+the\s+way|against)\b`,
    String.raw`\bwithout\s+(?:a\s+|any\s+)?second\s+thoughts?\b`,
    String.raw`\b(?:was|were|is|are|has\s+been|have\s+been)\s+(?:\w+\s+)?(?:approved|cleared|vetted|signed\s+off)\b`,
    String.raw`\b(?:has|have)\s+(?:already\s+|just\s+)?(?:approved|cleared|vetted|signed\s+off)\b`,
    String.raw`\bneed\s+not\s+(?:\w+\s+)?(?:look|check|review|read|wait)\b`,
    String.raw`\b(?:rolled\s+back|undone|reverted)\s+(?:at\s+any\s+time|any\s+time|easily|later)\b`,
    String.raw`\b(?:ignore|disregard|dismiss|overrule|downgrade)\w*\s+(?:the|this|these|all|any|its)\s+(?:\w+\s+)?(?:findings?|warnings?|risks?|rules?|levels?)`,
  ].join("|"),
  "giu",
);

/** Words that say that data stay, or that nothing goes, which is untrue where R01 speaks of some. */
export const DATA_KEPT = new RegExp(
  [
    String.raw`\bdata\b(?:(?!\b(?:not|never|no|unless|if|only|once|without|lost|cannot|isn|aren|won|can)\b)[^.!?;\n]){0,60}?\b(?:kept|preserved|retained|intact|unaffected|untouched|unharmed|survives?|remains?)\b${UNLESS}`,
    String.raw`\bnothing\s+(?:is|gets|will\s+be|would\s+be)\s+(?:\w+\s+)?(?:destroyed|deleted|removed)\b`,
    String.raw`(?<!protection\s)\b(?:is\s+not|isn['’]?t|are\s+not|aren['’]?t|will\s+not\s+be|won['’]?t\s+be)\s+(?:\w+\s+)?(?:deleted|destroyed)\b`,
    String.raw`\b(?:only|merely|just)\s+(?:be\s+)?(?:renamed|moved)\b`,
    String.raw`(?<!\bwhether\s[^.!?;\n]{0,60})(?<!\bif\s[^.!?;\n]{0,60})\b(?:is|are)\s+(?:\w+\s+)?empty\b`,
  ].join("|"),
  "giu",
);
