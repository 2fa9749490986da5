import { InMemorySessionProvider, Session, type SessionMessagePart } from "grove-session";
import type { Random } from "@/lib/text/testing/random";

/** A session after up to 14 random steps, ending with a question, as it can be stored or imported. */
export async function randomHistory(random: Random): Promise<Session> {
  const session = Session.create(new InMemorySessionProvider());
  const ids: string[] = [];
  let made = 0;
  const append = async (role: "user" | "assistant" | "system", parts: SessionMessagePart[]) => {
    const id = `m${made++}`;
    const parentId =
      ids.length > 0 && random.below(6) === 0 ? ids[random.below(ids.length)] : undefined;
    const isKnown = parentId !== undefined && (await session.getMessage(parentId)) !== null;
    await session.appendMessage({ id, role, parts }, isKnown ? parentId : undefined);
    ids.push(id);
  };
  for (let left = random.below(14); left > 0; left--) {
    switch (random.below(12)) {
      case 0:
        await compact(session, random);
        break;
      case 1:
        if (ids.length > 0) await session.deleteMessages([random.of([ids[0] ?? "", ...ids])]);
        break;
      case 2:
        await rewrite(session, random);
        break;
      case 3:
        await append("user", [said("Carried over from another branch:"), said("A note.")]);
        break;
      case 4:
        await append("system", [said("Be brief.")]);
        break;
      case 5:
      case 6:
      case 7:
        await append("user", question(random));
        break;
      default:
        await append("assistant", answer(random, made));
    }
  }
  await append("user", [said("The last question")]);
  return session;
}

async function compact(session: Session, random: Random): Promise<void> {
  const path = await session.getLatestMessages(100);
  const from = random.below(path.length || 1);
  const to = from + random.below(path.length - from || 1);
  const [first, last] = [path[from], path[to]];
  if (first && last) await session.addCompaction("Summary of it.", first.id, last.id);
}

async function rewrite(session: Session, random: Random): Promise<void> {
  const [message] = await session.getLatestMessages(1);
  if (!message) return;
  const parts = message.role === "assistant" ? answer(random, 900) : question(random);
  await session.updateMessage({ id: message.id, role: message.role, parts });
}

function said(text: string): SessionMessagePart {
  return { type: "text", text };
}

function question(random: Random): SessionMessagePart[] {
  return random.of([
    [said("A question")],
    [said("Two"), said("parts")],
    [said(" ")],
    [said(""), said("x")],
  ]);
}

function answer(random: Random, n: number): SessionMessagePart[] {
  const parts: SessionMessagePart[] = [];
  for (let count = random.below(6); count > 0; count--) {
    const id = `${n}x${count}`;
    parts.push(
      ...random.of<SessionMessagePart[]>([
        [{ type: "step-start" }],
        [{ type: "step-start" }],
        [said("An answer")],
        [said("\n")],
        [reasoning(random, id)],
        [toolCall(random, id)],
        [toolCall(random, id)],
        [{ type: "source-url", sourceId: id, url: "https://a.test" }],
        [{ type: "data-mark", data: 1 }],
      ]),
    );
  }
  return parts;
}

function reasoning(random: Random, id: string): SessionMessagePart {
  const providerMetadata = random.of([
    undefined,
    { openai: { itemId: `rs_${id}`, reasoningEncryptedContent: "sealed" } },
    { openai: { itemId: `rs_${id}`, reasoningEncryptedContent: null } },
    { anthropic: { signature: "signed" } },
    { google: { thoughtSignature: "signed" } },
  ]);
  return {
    type: "reasoning",
    text: random.of(["Hm", ""]),
    ...(providerMetadata && { providerMetadata }),
  };
}

function toolCall(random: Random, id: string): SessionMessagePart {
  // Some servers number the calls of each turn from 0, some write the name into the id.
  const toolCallId = random.of([
    `call_${id}`,
    "0",
    "functions.search:0",
    `call_${id}_${"x".repeat(90)}`,
    `ä ${id}`,
  ]);
  const name = random.of([
    "search_context",
    "set_context",
    "a tool.of/another app",
    "n".repeat(80),
  ]);
  const type = random.below(5) === 0 ? "dynamic-tool" : `tool-${name}`;
  return {
    type,
    ...(type === "dynamic-tool" && { toolName: name }),
    toolCallId,
    ...stateOf(random),
  };
}

function stateOf(random: Random): { state: string; [field: string]: unknown } {
  const input = random.of<unknown>([{ query: "tree" }, {}, undefined, "text", null, [1]]);
  const approval = { id: "approval", approved: random.below(2) === 0 };
  return random.of<{ state: string; [field: string]: unknown }>([
    { state: "input-streaming", input },
    { state: "input-available", input },
    { state: "approval-requested", input, approval: { id: "approval" } },
    { state: "approval-responded", input, approval },
    {
      state: "output-available",
      input,
      output: random.of<unknown>(["found", "", { a: [1] }, null, undefined]),
    },
    { state: "output-error", input, errorText: random.of(["It failed.", ""]) },
    { state: "output-denied", input, approval: { id: "approval", approved: false } },
  ]);
}
