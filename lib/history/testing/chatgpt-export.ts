export interface Said {
  readonly id: string;
  readonly parent?: string | null;
  readonly role?: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly at?: number;
  readonly message?: Record<string, unknown>;
}

export function chatGptChat(said: readonly Said[], fields: Record<string, unknown> = {}) {
  const mapping = Object.fromEntries(
    said.map(({ id, parent = null, role = "user", text, content, at, message }) => [
      id,
      {
        id,
        parent,
        children: said.filter((each) => each.parent === id).map((each) => each.id),
        message:
          text === undefined && content === undefined
            ? null
            : {
                id,
                author: { role, name: null, metadata: {} },
                create_time: at ?? 1_700_000_000,
                content: content ?? { content_type: "text", parts: [text] },
                status: "finished_successfully",
                weight: 1,
                metadata: role === "assistant" ? { model_slug: "gpt-4o" } : {},
                recipient: "all",
                ...message,
              },
      },
    ]),
  );
  return {
    title: "Gardens",
    create_time: 1_700_000_000.5,
    update_time: 1_700_000_100.25,
    mapping,
    current_node: said.at(-1)?.id,
    conversation_id: "6b0f0d9c-0000-4000-8000-000000000001",
    id: "6b0f0d9c-0000-4000-8000-000000000001",
    default_model_slug: "gpt-4o",
    is_archived: false,
    ...fields,
  };
}
