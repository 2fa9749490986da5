/** Something a person said of themselves: as a line to keep, and as it is said back to them. */
export type DemoFact = {
  /** `Drinks oolong tea`; the sentence itself where a script cannot be sure of the words. */
  readonly line: string;
  /** `you drink oolong tea` */
  readonly toThem: string;
};

/** Reads what comes after “remember that”. */
export function factOf(sentence: string): DemoFact {
  return { line: lineOf(sentence), toThem: inSecondPerson(sentence) };
}

const verbs =
  "like|love|prefer|drink|eat|live|work|hate|want|need|use|speak|play|own|know|enjoy|dislike|avoid|grow|learn|read|write|run|swim|travel|drive|ride|cook|bake|sing|wear|keep|collect|sleep|walk|listen|paint|knit|climb";
const ownVerb = new RegExp(
  `^i((?: (?:always|never|usually|often|sometimes|really|only|also|mostly))?) (${verbs})( .+)?$`,
  "i",
);
/** A second clause about the person needs its own verb in the right form, which is more than a script should try. */
const firstPerson = /\b(?:i|i'm|i’m|me|my|mine|myself|we|us|our)\b/i;

function lineOf(sentence: string): string {
  const [, adverb = "", verb = "", rest = ""] = ownVerb.exec(sentence) ?? [];
  if (verb !== "" && !firstPerson.test(rest)) {
    return capitalized(`${adverb} ${verb.toLowerCase()}s${rest}`.trim());
  }
  const [, state = ""] = /^i(?:'m|’m| am) (.+)$/i.exec(sentence) ?? [];
  if (state !== "" && !firstPerson.test(state)) return `Is ${state}`;
  const [, thing = ""] = /^i have (.+)$/i.exec(sentence) ?? [];
  if (thing !== "" && !firstPerson.test(thing)) return `Has ${thing}`;
  return capitalized(sentence);
}

const secondPerson: readonly (readonly [RegExp, string])[] = [
  [/\bi(?:'m|’m| am)\b/gi, "you are"],
  [/\bi was\b/gi, "you were"],
  [/\bi(['’])(ve|ll|d)\b/gi, "you$1$2"],
  [/\bi\b/gi, "you"],
  [/\bmyself\b/gi, "yourself"],
  [/\bmine\b/gi, "yours"],
  [/\bmy\b/gi, "your"],
  [/\bme\b/gi, "you"],
];

function inSecondPerson(sentence: string): string {
  return secondPerson.reduce((said, [from, to]) => said.replace(from, to), sentence);
}

function capitalized(words: string): string {
  return words.charAt(0).toLocaleUpperCase("en") + words.slice(1);
}
