import type { Tool } from "ai";
import type { SessionInfo } from "../session-store";
import { answer, type ObjectSchema, toolInput } from "./tool-input";

type SpawnChild = (
  name: string,
  options: { readonly firstMessage?: string | undefined },
) => Promise<SessionInfo>;

export type CreateSessionTool = Tool<
  { readonly name: string; readonly first_message?: string | undefined },
  string
>;

const input: ObjectSchema = {
  type: "object",
  properties: {
    name: {
      type: "string",
      minLength: 1,
      maxLength: 200,
      description: "What the new session is about, in a few words.",
    },
    first_message: { type: "string", maxLength: 20_000, description: "What it opens with." },
  },
  required: ["name"],
};

export function createSessionTool(spawn: SpawnChild): CreateSessionTool {
  return {
    description: "Start a new session for a matter that deserves a conversation of its own.",
    inputSchema: toolInput({ offered: input }),
    execute: ({ name, first_message }) =>
      answer(async () => {
        const { id } = await spawn(name, { firstMessage: first_message });
        return `Created session "${name}" (${id}).`;
      }),
  };
}
