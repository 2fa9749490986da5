import { titleFromQuestion } from "@/lib/llm/title-from-question";
import { questionOfTitlePrompt } from "@/lib/llm/title-prompt";

/** A title out of a title prompt's own words. */
export function demoTitle(prompt: string): string {
  return titleFromQuestion(questionOfTitlePrompt(prompt));
}
