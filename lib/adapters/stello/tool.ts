import { z } from "zod";
import type { Session } from "./session";

export interface CallToolResult<Output = unknown> {
  output: Output;
  isError?: boolean | undefined;
}

export interface ToolAnnotations {
  readOnlyHint?: boolean | undefined;
  idempotentHint?: boolean | undefined;
  title?: string | undefined;
}

export interface Tool<Shape extends z.ZodRawShape = z.ZodRawShape> {
  name: string;
  description: string;
  inputSchema: z.ZodObject<Shape>;
  execute(input: z.infer<z.ZodObject<Shape>>): Promise<CallToolResult>;
  annotations?: ToolAnnotations | undefined;
}

/** Sessions only pass on the definition; the caller executes the calls they return. */
export function tool<Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  inputSchema: Shape,
  execute: (input: z.infer<z.ZodObject<Shape>>) => Promise<CallToolResult>,
  { annotations }: { annotations?: ToolAnnotations | undefined } = {},
): Tool<Shape> {
  return { name, description, inputSchema: z.object(inputSchema), execute, annotations };
}

const childShape = {
  label: z.string().min(1).describe("A short name of the new session."),
  systemPrompt: z.string().optional().describe("Its instructions. Default: the present ones."),
  prompt: z.string().optional().describe("The message it opens with."),
};

/** Lets a model create children of a session. */
export function createSessionTool(getParent: () => Session): Tool<typeof childShape> {
  return tool(
    "stello_create_session",
    "Create a child session for a matter that deserves a conversation of its own.",
    childShape,
    async (input) => {
      const { id, label } = (await getParent().fork(input)).meta;
      return { output: { sessionId: id, label } };
    },
  );
}
