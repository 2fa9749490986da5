const maxLength = 300;

const links = /!?\[([^\]\n]{0,200})\]\([^)\n]{0,600}\)/g;
/** Signs at the start of a line, and around words. */
const signs =
  /^[ \t]*(?:#{1,6}|>|[-*+]|```\S*)(?:[ \t]|$)|\*\*|__|~~|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)/gm;

/** The beginning of a message on one line, without signs of Markdown. */
export function plainName(text = ""): string {
  return text
    .slice(0, 2 * maxLength)
    .replace(links, "$1")
    .replace(signs, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
}
