import { clip } from "@/lib/session";

/** The longest title, in characters. */
export const maxTitleCharacters = 60;

const leastCharacters = 20;

const politeness =
  /^(?:(?:hi|hello|hey|please|so|ok(?:ay)?|well)[,!. ]+|(?:can|could|would|will) you (?:please )?|i(?:'d| would) like (?:you )?to |i want (?:you )?to |help me (?:to )?)+/i;

/** Words that leave a title hanging when it ends with them. */
const linkWords =
  /(?:[\s,;:–—-]+(?:a|an|the|and|or|but|with|without|of|for|to|from|in|on|at|by|as|about|into|through|than|that|which|who|if|when|my|your|our|their|his|her|its|is|are|was|were|i|we|you))+$/i;

/** A title made of a question's own first words; never empty. One that is cut ends with a whole thought and `…`. */
export function titleFromQuestion(question: string): string {
  const line = question
    .replace(/[#*_`>]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const sentence = /^.+?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
  const whole = withoutEnd(sentence);
  const bare = withoutEnd(sentence.replace(politeness, "")) || whole;
  const [first = "", ...rest] = [...shortened(bare)];
  return first === "" ? "New conversation" : first.toLocaleUpperCase("en") + rest.join("");
}

function shortened(sentence: string): string {
  const clipped = clip(sentence, maxTitleCharacters);
  if (clipped === sentence) return sentence;
  const words = withoutEnd(clipped.replace(/…$/, ""));
  const clause = /^.*(?=[,;:]\s|\s[(–—]|\s-\s)/.exec(words)?.[0].trimEnd() ?? "";
  if (clause.length >= leastCharacters) return `${clause}…`;
  return `${words.replace(linkWords, "")}…`;
}

function withoutEnd(sentence: string): string {
  return sentence.replace(/[.!?:;,\s]+$/, "");
}
