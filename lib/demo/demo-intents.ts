export type DemoIntent =
  | ({ readonly kind: "remember" } & DemoFact)
  | { readonly kind: "todo"; readonly item: string }
  | { readonly kind: "search"; readonly query: string; readonly inKnowledge: boolean }
  | { readonly kind: "load"; readonly name: string }
  | { readonly kind: "unload"; readonly name: string }
  | { readonly kind: "call"; readonly name: string; readonly argument: string };

export function intentsOf(question: string): DemoIntent[] {
  const call = callIntent(question);
  if (call) return [call];
  const unload = unloadIntent(question);
  if (unload) return [unload];
  const load = loadIntent(question);
  if (load) return [load];
  const search = searchIntent(question);
  if (search) return [search];
  return [...rememberIntents(question), ...todoIntents(question)];
}

function callIntent(question: string): DemoIntent | null {
  const found = /^call (?:the )?(?:tool )?([\w.-]+)(?: with (.+))?$/is.exec(question.trim());
  if (!found) return null;
  return { kind: "call", name: found[1] ?? "", argument: tidy(found[2]) };
}

function unloadIntent(question: string): DemoIntent | null {
  const found = /\bunload\b(?: the)?(?: skill)?(?: called)?\s*(.*)/i.exec(question);
  if (!found) return null;
  const name = tidy(found[1]).replace(/\s*skill$/i, "");
  return { kind: "unload", name: /^(?:it|that|this)$/i.test(name) ? "" : name };
}

function loadIntent(question: string): DemoIntent | null {
  const name =
    capture(/\b(?:load|use|activate|open) (?:the |my )?skill (?:called )?(.+)/i, question) ??
    capture(/\b(?:load|use|activate|open) (?:the |my )?(.+?) skill\b/i, question) ??
    capture(/^load (?:the )?(.+)/i, question);
  return name === null ? null : { kind: "load", name };
}

function searchIntent(question: string): DemoIntent | null {
  const query =
    capture(
      /\b(?:did|have) we (?:ever |already )?(?:talk|talked|speak|spoken|discuss|discussed|say|said)(?: something| anything)?(?: about| of)? (.+)/i,
      question,
    ) ??
    capture(/\bdo you remember (?:when |what |that )?(.+)/i, question) ??
    capture(/\b(?:search|look)\b[^\n]*?\b(?:for|up) (.+)/i, question) ??
    capture(
      /^search (?:my |the |our )?(?:conversations? |history |knowledge |documents? )?(.+)/i,
      question,
    ) ??
    capture(/\bwhat did (?:we|i|you) say about (.+)/i, question);
  if (query === null) return null;
  const inKnowledge = /\b(?:knowledge|documents?|files?|notes)\b/i.test(question);
  return {
    kind: "search",
    query: tidy(
      query
        .replace(/\s+in (?:my |the |our )?\w+$/i, "")
        .replace(
          /^(?:what|anything|something|everything) (?:we|i|you)(?: have)? said (?:about|of) /i,
          "",
        ),
    ),
    inKnowledge,
  };
}

function rememberIntents(question: string): DemoIntent[] {
  const name = capture(
    /\b(?:my name is|call me|i am called) ([\p{L}][\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)?)/iu,
    question,
  );
  if (name !== null) {
    return [{ kind: "remember", line: `Name: ${name}`, toThem: `your name is ${name}` }];
  }
  const fact = capture(/\bremember(?: that|:| this:)? (.+)/i, question);
  return fact === null ? [] : [{ kind: "remember", ...factOf(fact) }];
}

function todoIntents(question: string): DemoIntent[] {
  const item =
    capture(/\badd to (?:my |the )?(?:to-?do list|to-?dos?|list)[: ]+(.+)/i, question) ??
    capture(/\badd (.+?) to (?:my |the )?(?:to-?dos?|list)\b/i, question) ??
    capture(/\bto-?dos?: ?(.+)/i, question);
  return item === null ? [] : [{ kind: "todo", item }];
}

function capture(pattern: RegExp, question: string): string | null {
  const found = pattern.exec(question);
  return found ? tidy(found[1]) || null : null;
}

function tidy(words = ""): string {
  return words
    .trim()
    .replace(/^["“”']+|["“”'.!?]+$/g, "")
    .trim();
}

export type DemoFact = {
  readonly line: string;
  readonly toThem: string;
};

export function factOf(sentence: string): DemoFact {
  return { line: lineOf(sentence), toThem: inSecondPerson(sentence) };
}

const verbs =
  "like|love|prefer|drink|eat|live|work|hate|want|need|use|speak|play|own|know|enjoy|dislike|avoid|grow|learn|read|write|run|swim|travel|drive|ride|cook|bake|sing|wear|keep|collect|sleep|walk|listen|paint|knit|climb";
const ownVerb = new RegExp(
  `^i((?: (?:always|never|usually|often|sometimes|really|only|also|mostly))?) (${verbs})( .+)?$`,
  "i",
);
/** A second clause would need its own verb form, too much for a script. */
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
