import { clip } from "@/lib/session";

/** The longest title, in characters. */
export const maxTitleCharacters = 60;

const politeness =
  /^(?:(?:hi|hello|hey|please|so|ok(?:ay)?|well)[,!. ]+|(?:can|could|would|will) you (?:please )?|i(?:'d| would) like (?:you )?to |i want (?:you )?to |help me (?:to )?)+/i;

/** A title made of a question's own first words; never empty. */
export function titleFromQuestion(question: string): string {
  const line = question
    .replace(/[#*_`>]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const sentence = /^.+?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
  const whole = withoutEnd(sentence);
  const bare = withoutEnd(sentence.replace(politeness, "")) || whole;
  const [first = "", ...rest] = [...clip(bare, maxTitleCharacters)];
  return first === "" ? "New conversation" : first.toLocaleUpperCase("en") + rest.join("");
}

function withoutEnd(sentence: string): string {
  return sentence.replace(/[.!?:;,\s]+$/, "");
}
