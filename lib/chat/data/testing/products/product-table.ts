import type { Random } from "@/lib/text/testing/random";
import { chatGpt } from "./chatgpt-exports";
import { claude2024, claude2025 } from "./claude-exports";
import { libreChat, openWebUi } from "./local-exports";
import { completions, groveMarkdown, markdown, messages } from "./message-exports";
import type { ExportFile, Piece, ToldChat } from "./told-chat";

/** An export as a product made it in a year. Quirks are those that its users or its source show. */
export interface Product {
  readonly name: string;
  readonly holds: readonly Piece["kind"][];
  readonly hasBranches?: boolean;
  /** Without them, the report has to say so. Default: every message has one. */
  readonly hasTimes?: boolean;
  readonly hasIds?: boolean;
  /** Its texts are words alone, since its form cannot tell more. */
  readonly isPlain?: boolean;
  /** Kind of the `odd` pieces, as the report has to name it. */
  readonly odd?: string;
  /** Does not say which branch was open. */
  readonly hidesOpen?: boolean;
  /** A file for one chat only. */
  readonly isSingle?: boolean;
  write(chats: readonly ToldChat[], random: Random): readonly ExportFile[];
}

/** A row each. */
export const products: readonly [Product, ...Product[]] = [
  {
    name: "ChatGPT 2023",
    holds: ["call", "failed", "odd"],
    hasBranches: true,
    odd: "super_widget",
    write: chatGpt({ odd: "super_widget" }),
  },
  {
    name: "ChatGPT 2025",
    holds: ["call", "failed", "odd", "file", "thought"],
    hasBranches: true,
    odd: "computer_output",
    write: chatGpt({ odd: "computer_output", hasHidden: true }),
  },
  {
    name: "ChatGPT 2026",
    holds: ["call", "failed", "odd", "file", "thought"],
    hasBranches: true,
    odd: "computer_output",
    write: chatGpt({ odd: "computer_output", isNumbered: true, hasChildrenAlone: true }),
  },
  { name: "Claude 2024", holds: ["file"], write: claude2024 },
  {
    name: "Claude 2025",
    holds: ["call", "failed", "odd", "file", "thought"],
    hasBranches: true,
    odd: "artifact",
    write: claude2025,
  },
  {
    name: "Open WebUI 0.5",
    holds: ["call", "file", "held", "thought"],
    hasBranches: true,
    write: openWebUi({ hasItems: false }),
  },
  {
    name: "Open WebUI 0.8",
    holds: ["call", "file", "held", "odd", "thought"],
    hasBranches: true,
    odd: "web_search_call",
    write: openWebUi({ hasItems: true }),
  },
  {
    name: "LibreChat as a list",
    holds: ["call", "failed", "file", "odd", "thought"],
    hasBranches: true,
    odd: "video_url",
    hidesOpen: true,
    isSingle: true,
    write: libreChat({ isTree: false }),
  },
  {
    name: "LibreChat as a tree",
    holds: ["call", "failed", "file", "odd", "thought"],
    hasBranches: true,
    odd: "video_url",
    hidesOpen: true,
    isSingle: true,
    write: libreChat({ isTree: true }),
  },
  {
    name: "AI SDK",
    holds: ["call", "failed", "held", "odd", "thought"],
    hasIds: false,
    odd: "data-chart",
    isSingle: true,
    write: messages,
  },
  {
    name: "Chat Completions",
    holds: ["call", "held", "odd", "thought"],
    hasTimes: false,
    hasIds: false,
    odd: "input_audio",
    isSingle: true,
    write: completions,
  },
  { name: "Grove's Markdown", holds: [], hasIds: false, isSingle: true, write: groveMarkdown },
  {
    name: "Markdown of others",
    holds: [],
    hasTimes: false,
    hasIds: false,
    isPlain: true,
    isSingle: true,
    write: markdown,
  },
];
