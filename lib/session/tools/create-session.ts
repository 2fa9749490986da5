import { type Tool, tool } from "ai";
import { z } from "zod";
import type { SessionInfo } from "@/lib/session/session-store";
import { answer } from "./answer";

type SpawnChild = (
  name: string,
  options: { readonly firstMessage?: string | undefined },
) => Promise<SessionInfo>;

/** Lets a model start a child session. */
export function createSessionTool(spawn: SpawnChild): Tool {
  return tool({
    description: "Start a new session for a matter that deserves a conversation of its own.",
    inputSchema: z.object({
      name: z.string().min(1).max(200).describe("What the new session is about, in a few words."),
      first_message: z.string().max(20_000).optional().describe("What it opens with."),
    }),
    execute: ({ name, first_message }) =>
      answer(async () => {
        const { id } = await spawn(name, { firstMessage: first_message });
        return `Created session "${name}" (${id}).`;
      }),
  });
}
