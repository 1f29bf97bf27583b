const WORDS = /(?<![\p{L}\p{N}_.])\p{L}+(?![\p{L}\p{N}_])/gu;
/** Words that a sentence in English seldom goes without. */
const ENGLISH = new Set(
  (
    "the is are of to and it by be this that with for not has have was will can may its from which as but or if all " +
    "these those can there what before after they you"
  ).split(" "),
);
/** Words of other languages that are none in English. */
const OTHERS = new Set(
  (
    "ist und nicht das kann wird werden wurde eine keine keinen sind dieser diese dieses ohne auch dem " +
    "es una el los las puede pueden sin para esta este ningún ninguna riesgo ser " +
    "le les des une est sont peut sans pour aucun aucune cette être risque " +
    "il della sono può senza nessun nessuna rischio essere questo questa não uma são pode sem nenhum risco " +
    "het een niet wordt worden zonder geen deze"
  ).split(" "),
);

/** Whether a sentence is in another language that has Latin letters too: two of its words, and none of English. */
export function isForeign(text: string): boolean {
  return text.split(/[.!?;\n](?=\s|$)|\n/u).some((sentence) => {
    const words = Array.from(sentence.matchAll(WORDS), ([word]) => word.toLowerCase());
    return (
      new Set(words.filter((word) => OTHERS.has(word))).size > 1 && !words.some((word) => ENGLISH.has(word))
    );
  });
}
