// For a page: functions about text and tokens, in a few kilobytes.

export { type ParsedSkill, parseSkill } from "./parse-skill";
export { openingBlocks } from "./search/opening-blocks";
export { plainMarkdown } from "./search/plain-markdown";
export { estimateMessageTokens, estimateStringTokens } from "./tokens/estimate-tokens";
export { entryKeyFor } from "./tools/entry-key";
